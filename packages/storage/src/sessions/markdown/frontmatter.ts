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

/**
 * Only the first two lines `---` are marks of the frontmatter. A file whose first line ends as on Windows was saved by an
 * editor that ends all lines so; the body then counts without that.
 */
export function splitFrontmatter(text: string): FrontmatterFile {
  const unmarked = text.startsWith("\ufeff") ? text.slice(1) : text;
  const own = /^---[ \t]*\r\n/.test(unmarked) ? unmarked.replaceAll("\r\n", "\n") : unmarked;
  const marks = /^---[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/.exec(own);
  if (!marks) return { fields: undefined, body: withoutLastEnd(own) };
  const fields = new Map<string, string>();
  for (const line of (marks[1] ?? "").split("\n")) {
    const [, key, value = ""] = LINE.exec(line.trimEnd()) ?? [];
    if (key !== undefined && !fields.has(key)) fields.set(key, unquoted(value));
  }
  return { fields, body: withoutLastEnd(own.slice(marks[0].length)) };
}

function withoutLastEnd(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
