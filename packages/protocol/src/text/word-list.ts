/** For example `a, b and c`. */
export function wordList(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

/** For example `a, b and 3 more`. */
export function shortList(words: readonly string[], max: number): string {
  const more = words.length - max;
  return words.slice(0, max).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
