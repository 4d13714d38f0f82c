/**
 * Scores how well a path matches the typed text: the letters in order, not necessarily adjacent. Higher is better;
 * undefined: no match. Whole words in the file name beat scattered letters; shorter paths beat longer ones.
 */
export function fuzzyMatch(path: string, query: string): number | undefined {
  if (query === "") return -path.length;
  const hay = path.toLowerCase();
  const needle = query.toLowerCase();
  const nameStart = hay.lastIndexOf("/", hay.length - 2) + 1;
  const inName = hay.indexOf(needle, nameStart);
  if (inName !== -1) return 3000 - (inName - nameStart) - hay.length / 100;
  const anywhere = hay.indexOf(needle);
  if (anywhere !== -1) return 2000 - hay.length / 100;
  let gaps = 0;
  let at = -1;
  for (const letter of needle) {
    const next = hay.indexOf(letter, at + 1);
    if (next === -1) return undefined;
    if (at !== -1) gaps += next - at - 1;
    at = next;
  }
  return 1000 - gaps - hay.length / 100;
}
