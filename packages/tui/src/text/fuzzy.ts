/** The rank of a name that has all letters in this order, with others between them. */
export const SCATTERED = 4;

/** How well a name fits what is typed, lower is better; undefined: not all letters are in it in this order. */
export function fuzzyRank(name: string, typed: string): number | undefined {
  const text = name.toLowerCase();
  const wanted = typed.toLowerCase();
  if (text === wanted) return 0;
  if (text.startsWith(wanted)) return 1;
  const at = text.indexOf(wanted);
  if (at > 0) return /[^\p{L}\p{N}]/u.test(text[at - 1] ?? "") ? 2 : 3;
  return hasLettersInOrder(text, wanted) ? SCATTERED : undefined;
}

function hasLettersInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
