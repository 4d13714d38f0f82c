/**
 * Joins lines into one: each break, with the blanks around it, becomes `between`. Linear, however many blanks there
 * are.
 */
export function joinIntoLine(text: string, between = " "): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes("\n") ? between : blanks));
}
