/** Several lines as one: each break is `between`, with the blanks around it. Linear, however many blanks there are. */
export function joinIntoLine(text: string, between = " "): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes("\n") ? between : blanks));
}
