/** A text in two: its first sentence, and what comes after it ("" where that is all). */
export function firstSentence(text: string): { first: string; rest: string } {
  const [first = text] = /^.*?\.(?=\s|$)/s.exec(text) ?? [];
  return { first, rest: text.slice(first.length).trim() };
}
