/** Words of a program that are no options, nor values of them. `withValue`: options whose value is a word of its own. */
export function operandsOf(words: readonly string[], withValue?: RegExp): string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") return [...found, ...words.slice(at + 1)];
    if (!/^-./.test(word)) found.push(word);
    else if (withValue?.test(word)) at += 1;
  }
  return found;
}
