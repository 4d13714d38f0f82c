/** Splits a text into its first sentence and the rest ("" if there is none). */
export function firstSentence(text: string): { first: string; rest: string } {
  const [first = text] = /^.*?\.(?=\s|$)/s.exec(text) ?? [];
  return { first, rest: text.slice(first.length).trim() };
}
