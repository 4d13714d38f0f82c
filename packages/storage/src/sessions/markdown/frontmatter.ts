import { unquoted } from "./fences.ts";

/** A file in two parts. `fields`: undefined where it has no frontmatter. */
export type FrontmatterFile = { fields: ReadonlyMap<string, string> | undefined; body: string };

const LINE = /^([A-Za-z_][\w-]*):[ \t]*(.*)$/;

/** Fields whose value is undefined are left out. */
export function withFrontmatter(fields: Readonly<Record<string, string | number | undefined>>, body: string): string {
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${fieldText(String(value))}`],
  );
  return `---\n${lines.join("\n")}\n---\n${body}\n`;
}

function fieldText(value: string): string {
  return value === "" || (/^[^\s"]/.test(value) && !/[\r\n]|\s$/.test(value)) ? value : JSON.stringify(value);
}

/** Any frontmatter of ours has some of these; two rules with text between them do not. */
const KNOWN = new Set(
  "role seq timestamp model provider stop tokens_in tokens_out call_id tool error status origin from kind".split(" "),
);

/** Other lines that frontmatter may have: lists, values of several lines, comments. */
const YAML = /^(?:[ \t]|- |#|$)/;
const MARK = "---[ \\t]*(?:\\n|$)";
const CLOSED = new RegExp(`^---[ \\t]*\\n(?:([\\s\\S]*?)\\n)??${MARK}`);
/** The fields that every file of ours begins with, where a person has deleted one of the marks. */
const UNCLOSED = new RegExp(`^(?:---[ \\t]*\\n)?(role:.*(?:\\n(?:${[...KNOWN].join("|")}):.*)*)(?:\\n|$)(?:${MARK})?`);

/**
 * Only the first two lines `---` are marks of the frontmatter. A file whose lines all end as on Windows was saved by an editor
 * that ends all lines so; it then counts without that.
 */
export function splitFrontmatter(text: string): FrontmatterFile {
  const own = withUnixEnds(text.startsWith("\ufeff") ? text.slice(1) : text);
  const { lines, end } = closedIn(own) ?? unclosedIn(own) ?? { lines: undefined, end: 0 };
  const body = withoutLastEnd(own.slice(end));
  return { fields: lines && fieldsIn(lines), body };
}

type Header = { lines: string[]; end: number };

function closedIn(text: string): Header | undefined {
  const marks = CLOSED.exec(text);
  const lines = (marks?.[1] ?? "").split("\n");
  const isOurs = lines.join("").trim() === "" || [...fieldsIn(lines).keys()].some((key) => KNOWN.has(key));
  if (!marks || !isOurs || !lines.every((line) => LINE.test(line.trimEnd()) || YAML.test(line))) return undefined;
  return { lines, end: marks[0].length };
}

function unclosedIn(text: string): Header | undefined {
  const marks = UNCLOSED.exec(text);
  const lines = (marks?.[1] ?? "").split("\n");
  if (!marks || (lines.length < 2 && !text.startsWith("---"))) return undefined;
  return { lines, end: marks[0].length };
}

function fieldsIn(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, key, value = ""] = LINE.exec(line.trimEnd()) ?? [];
    if (key !== undefined && !fields.has(key)) fields.set(key, unquoted(value));
  }
  return fields;
}

function withUnixEnds(text: string): string {
  const isWindows = text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text);
  return isWindows || /^---[ \t]*\r\n/.test(text) ? text.replaceAll("\r\n", "\n") : text;
}

function withoutLastEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
