/**
 * True if the here-document ends where bash ends it. The grammar also ends it at a line with blanks after the
 * delimiter, which bash does not: the text after it would be misread.
 *
 * `body` and `end` are offsets in the source; `start` is the delimiter as written, `dash`: written with `<<-`.
 */
export function isExactHereDocument(
  source: string,
  { start, dash }: { start: string; dash: boolean },
  body: { start: number; end: number },
): boolean {
  const delimiter = start.replace(/["'\\]/g, "");
  const from = source[body.start] === "\n" ? body.start + 1 : body.start;
  let at = from;
  while (at <= source.length) {
    const newline = source.indexOf("\n", at);
    const stop = newline < 0 ? source.length : newline;
    const line = source.slice(at, stop);
    // Bash ends it at the first such line, wherever the grammar assumes its end.
    if ((dash ? line.replace(/^\t+/, "") : line) === delimiter) {
      return at <= body.end && body.end <= stop;
    }
    if (newline < 0) break;
    at = newline + 1;
  }
  return false;
}

/** The text inside backquotes as the shell reads it: one level of backslashes removed. */
export function insideBackquotes(text: string): string {
  return text.replace(/\\([`\\$])/g, "$1");
}
