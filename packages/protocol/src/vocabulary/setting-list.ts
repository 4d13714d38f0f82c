/** A list of texts as one line: separated by commas, or as JSON if one of them contains a comma. */
export function formatList(values: readonly string[]): string {
  const isPlain = values.every((value) => value.trim() === value && value !== "" && !/[,\n]|^\[/.test(value));
  return isPlain ? values.join(", ") : JSON.stringify(values);
}

/** Parses such a line. A text that is not a list is returned unchanged, so that a check can name it. */
export function parseList(text: string): unknown {
  const line = text.trim();
  if (!line.startsWith("[")) return line.split(",").flatMap((part) => part.trim() || []);
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
