/** `@src/a.ts`, or `@"a name with spaces"#3`; an `@` inside a word, as in an address, mentions nothing. */
const mention = /(?<![\p{L}\p{N}_@])@(?:"([^"]+)"(#L?\d{1,7}(?:-L?\d{1,7})?)?|([^\s"'`<>@][^\s"'`<>]*))/gu;
const LINES = /^(.+)#L?(\d{1,7})(?:-L?(\d{1,7}))?$/s;

/** A possible path; `lines` from the first to the last, counted from 1. */
export type MentionedPath = { path: string; lines?: { first: number; last: number } };

/** `isMeant`: it can only be a path, and not another kind of name such as `@types/node`. */
export type Mention = { ways: MentionedPath[]; isMeant: boolean };

/**
 * The `@` mentions of a text, without duplicates, with their possible readings, longest first: punctuation may follow a
 * path, a path may end in any punctuation character, and `#10-40` or `#L10-L40` may name lines or belong to the name.
 */
export function pathMentions(words: string): Mention[] {
  const mentions = new Map<string, Mention>();
  for (const [, quoted, lines = "", bare = ""] of words.matchAll(mention)) {
    const names = quoted === undefined ? waysToRead(bare) : [quoted + lines];
    const ways = names.flatMap((path): MentionedPath[] => [{ path }, ...withLines(path)]);
    const isMeant =
      quoted !== undefined || /^(?:\.{0,2}\/|~\/)/.test(bare) || ways.some(({ lines }) => lines !== undefined);
    mentions.set(names[0] ?? "", { ways, isMeant });
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

function withLines(text: string): MentionedPath[] {
  const [, path, from, to = from] = LINES.exec(text) ?? [];
  if (path === undefined) return [];
  const [first, last] = [Number(from), Number(to)];
  return first >= 1 && last >= first ? [{ path, lines: { first, last } }] : [];
}
