/** The beginning of a text; an ellipsis stands for the rest and counts. */
export function clipText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}
