/** The beginning of a text; an ellipsis, which counts, replaces the rest. */
export function clipText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}
