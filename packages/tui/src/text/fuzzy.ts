/** The rank of a name that begins with the typed text. */
export const BEGINS = 1;
/** The rank of a name that contains it inside a word. */
export const WITHIN = 3;
/** The rank of a name that contains its letters in order, with others between them. */
const SCATTERED = 4;

/** How well a name matches the typed text, lower is better; undefined if it does not contain all letters in order. */
export function fuzzyRank(name: string, typed: string): number | undefined {
  const text = name.toLowerCase();
  const wanted = typed.toLowerCase();
  if (text === wanted) return 0;
  if (text.startsWith(wanted)) return BEGINS;
  const at = text.indexOf(wanted);
  if (at > 0) return /[^\p{L}\p{N}]/u.test(text[at - 1] ?? "") ? 2 : WITHIN;
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
