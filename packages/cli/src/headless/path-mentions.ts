/** `@src/a.ts`, or `@"a name with spaces"`; an `@` inside a word, as in an address, mentions nothing. */
const mention = /(?<![\p{L}\p{N}_@])@(?:"([^"]+)"|([^\s"'`<>@][^\s"'`<>]*))/gu;

/**
 * The possible readings of each `@` mention, longest first: punctuation may follow a path, and a path may end in any of
 * its characters.
 */
export function pathMentions(words: string): string[][] {
  const mentions = new Map<string, string[]>();
  for (const [, quoted, bare = ""] of words.matchAll(mention)) {
    const ways = quoted === undefined ? waysToRead(bare) : [quoted];
    mentions.set(ways[0] ?? "", ways);
  }
  return [...mentions.values()];
}

function waysToRead(bare: string): string[] {
  const ways = [bare];
  for (let path = bare; /[.,;:!?)\]}]$/.test(path); ) {
    path = path.slice(0, -1);
    if (path !== "") ways.push(path);
  }
  return ways;
}
