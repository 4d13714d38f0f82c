import type { FactKind, StoredFact } from "@harness/protocol";

/** Which facts to read: those with `after < seq < before`, only of these kinds, and at most `limit`. */
export type FactRange = { after?: number; before?: number; kinds?: readonly FactKind[]; limit?: number };

/** Facts in `seq` order. `more`: the range has others. */
export type FactPage = { facts: StoredFact[]; more: boolean };

/** The facts of a session with all its agents, in pages: memory holds one page, however long the session is. */
export interface FactPages {
  /**
   * The first page of a range, or the last one of a range that has only a `before`. A page is as long as `limit` and
   * `MAX_PAGE_LENGTH` allow; it has at least one fact if the range has.
   */
  read(range?: FactRange): FactPage;
}

/**
 * The most characters or bytes of JSON in a page that has more than one fact. V8 frees such short-lived memory at once;
 * with larger pages, much of it would stay until the next full collection.
 */
export const MAX_PAGE_LENGTH = 64 * 1024;

/** All facts of a range, oldest first. A page is read when its first fact is taken. */
export function* factsOf(pages: FactPages, range: Omit<FactRange, "limit"> = {}): Generator<StoredFact, void> {
  for (let after = range.after ?? 0; ; ) {
    const { facts, more } = pages.read({ ...range, after });
    yield* facts;
    const last = facts.at(-1);
    if (!more || last === undefined) return;
    after = last.seq;
  }
}

/** The newest fact of a kind. */
export function lastFactOf(pages: FactPages, kind: FactKind): StoredFact | undefined {
  return pages.read({ before: Number.POSITIVE_INFINITY, kinds: [kind], limit: 1 }).facts.at(-1);
}

/** Pages of facts in memory. `facts` returns the current ones in `seq` order. */
export function memoryPages(facts: () => readonly StoredFact[]): FactPages {
  return {
    read(range = {}) {
      const { after = 0, before = Number.POSITIVE_INFINITY, kinds, limit = Number.POSITIVE_INFINITY } = range;
      const isWanted = ({ seq, update }: StoredFact) =>
        seq > after && seq < before && (kinds?.includes(update.sessionUpdate) ?? true);
      const wanted = facts().filter(isWanted);
      const page = isFromEnd(range) ? firstOf(wanted.toReversed(), limit).reverse() : firstOf(wanted, limit);
      return { facts: page, more: wanted.length > page.length };
    },
  };
}

/** True if the range asks for its last page. */
export function isFromEnd({ after, before }: FactRange): boolean {
  return before !== undefined && after === undefined;
}

/** At most `limit` facts, and no more than fit into a page; a larger fact gets a page of its own. */
function firstOf(facts: readonly StoredFact[], limit: number): StoredFact[] {
  let length = 0;
  const end = facts.slice(0, limit).findIndex((fact, index) => {
    length += lengthOf(fact);
    return index > 0 && length > MAX_PAGE_LENGTH;
  });
  return facts.slice(0, end < 0 ? limit : end);
}

/** Approximates the length of the JSON text without serializing. */
function lengthOf(value: unknown): number {
  let length = 0;
  // Values may be nested more deeply than calls can be.
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") length += next.length;
    else if (typeof next !== "object" || next === null) length += 8;
    else {
      length += 2;
      for (const [key, each] of Object.entries(next)) {
        length += key.length + 4;
        waiting.push(each);
      }
    }
  }
  return length;
}
