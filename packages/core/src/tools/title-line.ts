const MAX_TITLE = 120;

/** The first line of a text, cut to the length of a title. */
export function titleLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE).toWellFormed()}…` : line;
}
