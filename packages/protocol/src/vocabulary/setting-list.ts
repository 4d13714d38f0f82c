/** A list of texts as one line: between commas, or as JSON where a comma is in one of them. */
export function formatList(values: readonly string[]): string {
  const isPlain = values.every((value) => value.trim() === value && value !== "" && !/[,\n]|^\[/.test(value));
  return isPlain ? values.join(", ") : JSON.stringify(values);
}

/** Reads such a line. A text that is not a list is returned unchanged, so that a check can name it. */
export function parseList(text: string): unknown {
  const line = text.trim();
  if (!line.startsWith("[")) return line.split(",").flatMap((part) => part.trim() || []);
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
