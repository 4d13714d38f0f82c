/** Positions of a text in a longer one, ignoring case; `wanted` is in lower case. */
export function occurrences(text: string, wanted: string): number[] {
  if (wanted === "") return [];
  const small = text.toLowerCase();
  // A few letters are longer in lower case, which would shift the positions.
  const searched = small.length === text.length ? small : text;
  const found: number[] = [];
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}
