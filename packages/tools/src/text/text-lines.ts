/** A line with its line end: LF, CRLF, or nothing at the end of the text. */
export type TextLine = { text: string; end: "\n" | "\r\n" | "" };

export function splitLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let from = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
    const isCrLf = at > from && text[at - 1] === "\r";
    lines.push({ text: text.slice(from, isCrLf ? at - 1 : at), end: isCrLf ? "\r\n" : "\n" });
    from = at + 1;
  }
  if (from < text.length) lines.push({ text: text.slice(from), end: "" });
  return lines;
}

export function joinLines(lines: readonly TextLine[]): string {
  return lines.map(({ text, end }) => text + end).join("");
}

/** The lines that a model wrote: the end of the last line does not begin another. */
export function linesOf(content: string): string[] {
  if (content === "") return [];
  return content.replace(/\r?\n$/, "").split(/\r?\n/);
}

/**
 * Replaces lines: the new ones end like the first replaced line, the line before it, or the text's first line. A text
 * without a final line end stays without one.
 */
export function withLines(lines: readonly TextLine[], at: number, count: number, texts: readonly string[]): TextLine[] {
  const usual = [lines[at], lines[at - 1], lines[0]].map((line) => line?.end).find((end) => end) || "\n";
  const isOpen = lines.length > 0 && lines.at(-1)?.end === "";
  const before = lines.slice(0, at).map((line) => (line.end === "" ? { ...line, end: usual } : line));
  const all = [...before, ...texts.map((text) => ({ text, end: usual })), ...lines.slice(at + count)];
  const last = all.at(-1);
  if (isOpen && last) all[all.length - 1] = { ...last, end: "" };
  return all;
}
