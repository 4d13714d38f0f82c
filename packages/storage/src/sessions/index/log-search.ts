import type { FactPages } from "@harness/core";
import { partsAfter } from "./indexed-facts.ts";
import type { SearchTerm } from "./search-words.ts";
import type { IndexHit } from "./text-index.ts";
import { textMatch } from "./text-match.ts";

/** The number of best matches to keep: a session may have more matches than fit in memory. */
const MAX_KEPT = 1_000;

type LogHit = IndexHit & { terms: number };

/** Searches the logs of sessions that are not in the index. */
export class LogSearch {
  readonly #terms: readonly SearchTerm[];
  readonly #sinceMs: number;
  #hits: LogHit[] = [];
  /** Matches by their number of matching terms. */
  readonly #counts = new Map<number, number>();

  constructor(terms: readonly SearchTerm[], sinceMs = Number.NEGATIVE_INFINITY) {
    this.#terms = terms;
    this.#sinceMs = sinceMs;
  }

  /** Yields after each fact, so that other work can run. */
  *read(sessionId: string, pages: FactPages): Generator<undefined, void> {
    for (const { texts } of partsAfter(pages, 0)) {
      for (const { seq, at, kind, text } of texts) {
        if (Date.parse(at) < this.#sinceMs) continue;
        const match = textMatch(text, this.#terms);
        if (match) this.#keep({ sessionId, seq, kind, score: match.score, terms: match.terms });
      }
      yield;
    }
  }

  /** The matches with all terms, or else with any of them. */
  found({ isAll, limit }: { isAll: boolean; limit: number }): { hits: IndexHit[]; count: number } {
    const least = isAll ? this.#terms.length : 1;
    const hits = best(this.#hits.filter(({ terms }) => terms >= least)).slice(0, limit);
    const count = [...this.#counts].reduce((sum, [terms, each]) => (terms >= least ? sum + each : sum), 0);
    return { hits, count };
  }

  #keep(hit: LogHit): void {
    this.#counts.set(hit.terms, (this.#counts.get(hit.terms) ?? 0) + 1);
    this.#hits.push(hit);
    if (this.#hits.length >= 2 * MAX_KEPT) this.#hits = best(this.#hits).slice(0, MAX_KEPT);
  }
}

function best(hits: readonly LogHit[]): LogHit[] {
  return hits.toSorted((a, b) => b.terms - a.terms || b.score - a.score);
}
