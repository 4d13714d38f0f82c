/**
 * The body of a message file: text as it is, and fenced blocks for everything else. A blank line separates the two. A line
 * of a text that would begin a block, or end the one that it is in, has a backslash before it.
 */
export type BodyBlock = { kind: BlockKind; attributes: Readonly<Record<string, string>>; text: string };
type BlockKind = "plain" | FencedKind;
export type FencedKind = "thinking" | "tool_call" | "attached" | "quoted" | "picture" | "message_text";

/** `tool_call` has an id and a name; other fences of this kind are text about them. */
const BEGIN = /^```(?:(thinking|attached|quoted|message_text|picture)((?: [a-z_]+=.*)?)|(tool_call)( id=.* name=.*))$/;
const LIKE_BEGIN = /^\\*```(?:thinking|attached|quoted|message_text|picture|tool_call)\b/;
const ESCAPED_BEGIN = /^\\+```(?:thinking|attached|quoted|message_text|picture|tool_call)\b/;
const END = /^```\s*$/;
const LIKE_END = /^\\*```\s*$/;
const ESCAPED_END = /^\\+```\s*$/;
const ATTRIBUTE = / ([a-z_]+)=("(?:[^"\\]|\\.)*"|\S*)/g;

export function bodyText(blocks: readonly BodyBlock[]): string {
  return blocks.map((block, index) => blockText(block, blocks[index - 1])).join("\n\n");
}

function blockText({ kind, attributes, text }: BodyBlock, before: BodyBlock | undefined): string {
  if (kind === "plain" && before?.kind !== "plain") return escaped(text, LIKE_BEGIN);
  const named = kind === "plain" ? "message_text" : kind;
  const words = Object.entries(attributes).map(([key, value]) => ` ${key}=${attributeText(value)}`);
  return `\`\`\`${named}${words.join("")}\n${escaped(text, LIKE_END)}\n\`\`\``;
}

/** Without blanks, so that the values are words also for a program that knows no quotes. */
function attributeText(value: string): string {
  if (/^[^\s"\\]+$/.test(value)) return value;
  return JSON.stringify(value).replace(/\s/g, (blank) => `\\u${blank.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function escaped(text: string, like: RegExp): string {
  return text
    .split("\n")
    .map((line) => (like.test(line) ? `\\${line}` : line))
    .join("\n");
}

/** Fences of other kinds are text. A block that nobody has closed goes to the end. */
export function blocksIn(body: string, kinds: readonly FencedKind[]): BodyBlock[] {
  const blocks: BodyBlock[] = [];
  let lines: string[] = [];
  let open: Omit<BodyBlock, "text"> | undefined;
  const endPlain = (isBeforeFence: boolean) => {
    const text = withoutSeparators(lines, { first: blocks.length > 0, last: isBeforeFence });
    if (text !== undefined) blocks.push({ kind: "plain", attributes: {}, text });
    lines = [];
  };
  for (const line of body.split("\n")) {
    const begun = open ? undefined : fenceIn(line, kinds);
    if (open && END.test(line)) {
      blocks.push({ ...open, text: lines.join("\n") });
      open = undefined;
      lines = [];
    } else if (begun) {
      endPlain(true);
      open = begun;
    } else {
      const isEscaped = (open ? ESCAPED_END : ESCAPED_BEGIN).test(line);
      lines.push(isEscaped ? line.slice(1) : line);
    }
  }
  if (open) blocks.push({ ...open, text: lines.join("\n") });
  else endPlain(false);
  return blocks.map((block) => (block.kind === "message_text" ? { ...block, kind: "plain" } : block));
}

function fenceIn(line: string, kinds: readonly FencedKind[]): Omit<BodyBlock, "text"> | undefined {
  const [, named, words = "", call, callWords = ""] = BEGIN.exec(line.trimEnd()) ?? [];
  const kind = kinds.find((each) => each === (named ?? call));
  return kind && { kind, attributes: attributesIn(`${words}${callWords}`) };
}

function attributesIn(words: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, key = "", value = ""] of words.matchAll(ATTRIBUTE)) found[key] = unquoted(value);
  return found;
}

/** A value in quotes is a string of JSON; anything else is what it is. */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}

/** The text between two fences, or undefined where there is none. */
function withoutSeparators(lines: readonly string[], { first, last }: { first: boolean; last: boolean }) {
  const from = first && lines[0]?.trim() === "" ? 1 : 0;
  const to = last && lines.length > from && lines.at(-1)?.trim() === "" ? lines.length - 1 : lines.length;
  const kept = lines.slice(from, to);
  return kept.length === 0 ? undefined : kept.join("\n");
}
