/** Something typed before; `cwd` is set if it was typed in another folder. */
export type TypedPrompt = { readonly text: string; readonly cwd?: string | undefined };

/**
 * A search through the prompts typed before. `found` and `pool` are newest first; `selected` is an index into `found`.
 */
export type PromptSearch = {
  readonly query: string;
  readonly pool: readonly TypedPrompt[];
  readonly found: readonly TypedPrompt[];
  readonly selected: number;
};

/** Only the beginning of a long text is searched for scattered letters. */
const MAX_SCATTERED = 400;

/** A search of these texts, newest first. */
export function searchOf(pool: readonly TypedPrompt[], query: string): PromptSearch {
  return { query, pool, found: foundIn(pool, query), selected: 0 };
}

/** The same search over more texts; the marked one stays marked. */
export function withPool(search: PromptSearch, pool: readonly TypedPrompt[]): PromptSearch {
  const next = searchOf(pool, search.query);
  const marked = search.found[search.selected]?.text;
  return {
    ...next,
    selected: Math.max(
      0,
      next.found.findIndex(({ text }) => text === marked),
    ),
  };
}

/**
 * The texts that match a query, best first: the exact words, then all of them anywhere, then their letters in order.
 */
function foundIn(pool: readonly TypedPrompt[], query: string): readonly TypedPrompt[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return pool;
  const words = wanted.split(/\s+/);
  const ranks: [TypedPrompt[], TypedPrompt[], TypedPrompt[]] = [[], [], []];
  for (const prompt of pool) {
    const text = prompt.text.toLowerCase();
    if (text.includes(wanted)) ranks[0].push(prompt);
    else if (words.every((word) => text.includes(word))) ranks[1].push(prompt);
    else if (words.every((word) => isScattered(text, word))) ranks[2].push(prompt);
  }
  return ranks.flat();
}

/** True if all letters occur in this order, not too far apart: otherwise any long text would match. */
function isScattered(text: string, word: string): boolean {
  const end = Math.min(text.length, MAX_SCATTERED);
  const [first = ""] = word;
  for (let start = text.indexOf(first); start >= 0 && start < end; start = text.indexOf(first, start + 1)) {
    let at = start;
    for (const letter of word) {
      at = text.indexOf(letter, at) + 1;
      if (at === 0) return false;
    }
    if (at - start <= word.length * 3) return true;
  }
  return false;
}
