import { type FactPage, type FactPages, type FactRange, isFromEnd, MAX_PAGE_LENGTH } from "@harness/core";
import { ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { readFacts, StaleEntryError } from "./fact-lines.ts";
import { type FactEntry, FactTable } from "./fact-table.ts";

/** The logs of a session and the positions of its facts in them. A gap in the numbers is an entry without a length. */
export type FactLocations = {
  /** The paths of the logs, by the numbers in the table. */
  logs: string[];
  table: FactTable;
  createdAt: string;
  checked: boolean;
};

/** Marks an entry for lost facts: its `offset` is their count, its `seq` the last of their numbers. */
export function gapEntry(before: number, gap: number): FactEntry {
  return { seq: before + gap, kind: "notice", log: 0, offset: gap, length: 0 };
}

export function isGap({ length }: FactEntry): boolean {
  return length === 0;
}

export function noFacts(createdAt: string): FactLocations {
  return { logs: [], table: new FactTable(), createdAt, checked: false };
}

/** Reads the facts of a session in pages, from all of its logs. */
export class StoredFacts implements FactPages {
  #places: FactLocations;
  readonly #lookAgain: () => FactLocations;
  /** Cached as long as memory allows, because a client may ask for the same large fact again. */
  #lastPage: { key: string; page: WeakRef<FactPage> } | undefined;

  /** `lookAgain`: scans again for the current positions, checking every line. */
  constructor(places: FactLocations, lookAgain: () => FactLocations) {
    this.#places = places;
    this.#lookAgain = lookAgain;
  }

  /** The number of the last fact, or 0. */
  get seq(): number {
    const { table } = this.#places;
    return table.length === 0 ? 0 : table.seqAt(table.length - 1);
  }

  /** True if the fact with this number is lost. */
  isGap(seq: number): boolean {
    const { table } = this.#places;
    const index = table.firstAfter(seq - 1);
    return index < table.length && table.seqAt(index) === seq && isGap(table.at(index));
  }

  /** Throws file system errors. */
  read(range: FactRange = {}): FactPage {
    const { after, before, kinds, limit } = range;
    // References to the pages would keep all of them in memory until a reader has finished the log.
    if (limit === undefined) return this.#pageNow(range);
    const key = [after, before, kinds, limit, this.#places.table.length].join(" ");
    const known = this.#lastPage?.key === key ? this.#lastPage.page.deref() : undefined;
    if (known) return known;
    const page = this.#pageNow(range);
    this.#lastPage = { key, page: new WeakRef(page) };
    return page;
  }

  #pageNow(range: FactRange): FactPage {
    try {
      return this.#page(range);
    } catch (error) {
      if (!(error instanceof StaleEntryError)) throw error;
      this.#places = this.#lookAgain();
      return this.#page(range);
    }
  }

  /** Call after a fact was appended to a log. */
  add(path: string, { seq, kind, offset, length }: Omit<FactEntry, "log">): void {
    const { logs, table } = this.#places;
    const known = logs.lastIndexOf(path);
    const log = known < 0 ? logs.push(path) - 1 : known;
    table.add({ seq, kind, log, offset, length });
  }

  #page(range: FactRange): FactPage {
    const { logs, checked } = this.#places;
    const { entries, more } = this.#entriesOf(range);
    const lines = entries.filter((entry) => !isGap(entry));
    const read = readFacts(lines, logs, { checked });
    const facts: StoredFact[] = [];
    for (const entry of entries) {
      const fact = read.get(entry) ?? gapNotice(entry, facts.at(-1)?.at ?? this.#timeBefore(entry));
      facts.push(fact);
    }
    return { facts, more };
  }

  #entriesOf(range: FactRange): { entries: FactEntry[]; more: boolean } {
    const { table } = this.#places;
    const { after = 0, before, limit = Number.POSITIVE_INFINITY } = range;
    const kinds = range.kinds && new Set<string>(range.kinds);
    const from = table.firstAfter(after);
    const to = before === undefined ? table.length : table.firstAfter(before - 1);
    const fromEnd = isFromEnd(range);
    const entries: FactEntry[] = [];
    let bytes = 0;
    for (let count = 0; count < to - from; count += 1) {
      const index = fromEnd ? to - 1 - count : from + count;
      if (kinds && !kinds.has(table.kindAt(index))) continue;
      bytes += table.lengthAt(index);
      const isFull = entries.length >= limit || (entries.length > 0 && bytes > MAX_PAGE_LENGTH);
      if (isFull) return { entries: fromEnd ? entries.reverse() : entries, more: true };
      entries.push(table.at(index));
    }
    return { entries: fromEnd ? entries.reverse() : entries, more: false };
  }

  /** The date of the fact before a gap. */
  #timeBefore({ seq, offset: gap }: FactEntry): string {
    const { logs, table, checked, createdAt } = this.#places;
    const index = table.firstAfter(seq - gap) - 1;
    if (index < 0) return createdAt;
    const entry = table.at(index);
    return readFacts([entry], logs, { checked }).get(entry)?.at ?? createdAt;
  }
}

/** Fills a gap in the numbers, because the fold accepts none. */
function gapNotice({ seq, offset: gap }: FactEntry, at: string): StoredFact {
  const which = gap === 1 ? `Entry ${seq}` : `Entries ${seq - gap + 1} to ${seq}`;
  return {
    seq,
    at,
    agentId: ROOT_AGENT,
    update: {
      sessionUpdate: "notice",
      severity: "warning",
      title: `${which} of this session could not be read.`,
      description: "The log was damaged. What comes before and after is complete.",
      ...(gap > 1 ? { missing: gap } : {}),
    },
  };
}
