/** A value of frontmatter: a text, a list of texts, or texts by name. */
export type FrontmatterValue = string | readonly string[] | ReadonlyMap<string, string>;

/** `unread`: why the value of a key could not be read, which matters only to readers that use the key. */
export type Frontmatter = {
  fields: ReadonlyMap<string, FrontmatterValue>;
  unread: ReadonlyMap<string, string>;
  body: string;
};

export const FENCE = /^---[ \t]*$/;
// Lines end at LF and CR alone: without `s` a dot would also stop at U+2028 and U+2029.
const KEY = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*)|)$/s;
export const ITEM = /^[ \t]*-(?:[ \t]+(.*)|)$/s;
const BLOCK = /^([|>])[+-]?\d?$/;

/**
 * Reads the lines between two `---` at the start of a Markdown file. They look like YAML but mostly are not: prose with
 * colons and quotes is accepted as it is. A line without a meaning here is a problem with its number.
 */
export function readFrontmatter(text: string): Frontmatter | { problem: string } {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  if (!FENCE.test(lines[0] ?? "")) return { fields: new Map(), unread: new Map(), body: lines.join("\n") };
  const end = lines.findIndex((line, at) => at > 0 && FENCE.test(line));
  if (end < 0) return { problem: "line 1: the frontmatter has no closing ---" };
  const fields = readFields(lines.slice(1, end));
  if ("problem" in fields) return fields;
  return { ...fields, body: lines.slice(end + 1).join("\n") };
}

function readFields(lines: readonly string[]): Pick<Frontmatter, "fields" | "unread"> | { problem: string } {
  const fields = new Map<string, FrontmatterValue>();
  const unread = new Map<string, string>();
  for (const { key, rest, from, to } of fieldSpans(lines)) {
    // The fence is line 1.
    const where = `line ${from + 2}`;
    if (key === undefined) return { problem: `${where}: expected a line such as "name: reviewer"` };
    if (fields.has(key) || unread.has(key)) return { problem: `${where}: duplicate key ${key}` };
    const value = readValue(rest.trim(), lines.slice(from + 1, to));
    if (value === undefined) unread.set(key, `${where}: the value of ${key} cannot be read`);
    else fields.set(key, value);
  }
  return { fields, unread };
}

/** A field, up to but excluding the first line that is not part of it. `key` is absent if the line is not a field. */
type FieldSpan = { key: string | undefined; rest: string; from: number; to: number };

/** The fields of frontmatter without its fences; blank lines and comments before a field belong to none. */
export function fieldSpans(lines: readonly string[]): FieldSpan[] {
  const spans: FieldSpan[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const from = at;
    at += 1;
    if (isBlank(line)) continue;
    const [, key, rest = ""] = KEY.exec(line) ?? [];
    while (key !== undefined && at < lines.length && isContinued(lines[at] ?? "", rest)) at += 1;
    spans.push({ key, rest, from, to: at });
  }
  return spans;
}

/** True for an empty line or a comment. */
export function isBlank(line: string): boolean {
  return /^[ \t]*(#.*)?$/.test(line);
}

/** True for indented lines, which belong to the key above; so do items of a list that began there. */
function isContinued(line: string, rest: string): boolean {
  return /^[ \t]+\S/.test(line) || line.trim() === "" || (isBlank(rest) && ITEM.test(line));
}

function readValue(first: string, more: readonly string[]): FrontmatterValue | undefined {
  const rest = withoutComment(first);
  const block = BLOCK.exec(rest);
  if (block) return blockText(more, block[1] === ">");
  const below = more.filter((line) => !isBlank(line));
  if (isBlank(rest)) return below.length === 0 ? "" : nested(below);
  if (rest.startsWith("[") && rest.endsWith("]")) return below.length > 0 ? undefined : splitFlow(rest).map(scalar);
  if (rest.startsWith("{") && rest.endsWith("}")) return below.length > 0 ? undefined : pairs(splitFlow(rest));
  return scalar([rest, ...below.map((line) => withoutComment(line.trim()))].join(" "));
}

/** A list, or texts by name. */
function nested(lines: readonly string[]): FrontmatterValue | undefined {
  if (!lines.every((line) => ITEM.test(line))) return pairs(lines);
  return lines.map((line) => scalar(withoutComment((ITEM.exec(line)?.[1] ?? "").trim())));
}

function pairs(entries: readonly string[]): ReadonlyMap<string, string> | undefined {
  const read = entries.map((entry) => KEY.exec(entry.trim()));
  if (read.some((each) => each === null)) return undefined;
  return new Map(read.map((each) => [each?.[1] ?? "", scalar(withoutComment((each?.[2] ?? "").trim()))]));
}

/** The parts of `[a, "b, c"]` or `{a: 1}`: separated by commas outside of quotes. */
function splitFlow(text: string): string[] {
  const parts: string[] = [];
  let [begun, quote] = [1, ""];
  for (let at = 1; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (quote === '"' && char === "\\") at += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "," || at === text.length - 1) {
      parts.push(text.slice(begun, at).trim());
      begun = at + 1;
    }
  }
  const rest = text.slice(begun, -1).trim();
  return [...parts, rest].filter((part) => part !== "");
}

function blockText(lines: readonly string[], isFolded: boolean): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  const text = lines.map((line) => line.slice(indent)).join("\n");
  return (isFolded ? text.replace(/([^\n])\n(?=[^\n])/g, "$1 ") : text).trimEnd();
}

/** A quoted text, or a bracketed list or map, followed by a comment. */
const BEFORE_COMMENT = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\]]*\]|\{[^}]*\}|[|>][+-]?\d?)[ \t]+#/;

/** Strips a comment as YAML does; prose that YAML would reject, because of a colon or a quote in it, stays as it is. */
function withoutComment(text: string): string {
  const [, before] = BEFORE_COMMENT.exec(text) ?? [];
  if (before !== undefined) return before;
  const isProse = /^["'[{]|:[ \t]/.test(text);
  return isProse ? text : text.replace(/[ \t]#.*$/s, "").trimEnd();
}

/** Unquotes a text that is quoted as a whole; any other stays as it is. */
function scalar(text: string): string {
  if (/^'(?:[^']|'')*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (!/^"(?:[^"\\]|\\.)*"$/.test(text)) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    // YAML knows escapes that JSON does not.
    return text.slice(1, -1).replace(/\\(.)/g, "$1");
  }
}

/** Characters that readers trim, end lines at, or do not show; a plain space is not among them. */
const UNSEEN = /[^\P{Z} ]|\p{C}/u;
const UNSEEN_UNITS = /[\p{Zl}\p{Zp}\x7f-\x9f\ufeff]/gu;

/** A value, on one line, that `readFrontmatter` and every YAML reader read back unchanged. */
export function frontmatterText(value: string): string {
  const isPlain = /^[\p{L}\p{N}]/u.test(value) && !UNSEEN.test(value) && !/:( |$)| #| $/.test(value);
  return isPlain ? value : JSON.stringify(value).replace(UNSEEN_UNITS, escaped);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
