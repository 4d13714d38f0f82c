import type { PlacedChunk } from "./chunk-table.ts";
import type { DatabaseFile } from "./database-file.ts";
import { encodeRun, PostingDraft } from "./posting-run.ts";

/** As many segments of about one size are joined: each costs a search a look-up for each word. */
const JOINED = 24;
/** How much larger the segments of the next size are. */
const TIER_FACTOR = 8;
const SMALLEST_CHUNKS = 64;

type Segment = { id: number; chunks: number };

/** Which chunks have which words, in segments that are written once and joined later, as in Lucene. */
export class PostingTable {
  readonly #db: DatabaseFile;

  constructor(db: DatabaseFile) {
    this.#db = db;
  }

  /** Adds the words of new chunks, in ascending order of ids. */
  add(placed: readonly PlacedChunk[]): void {
    if (placed.length === 0) return;
    const draft = new PostingDraft();
    for (const { id, chunk } of placed) draft.add(id, chunk.words);
    const segment = this.#addSegment(placed.length);
    const insert = this.#db.run("INSERT INTO postings VALUES (?, ?, ?)");
    // In the order of the table, which makes large writes fast.
    for (const word of [...draft.words.keys()].sort()) {
      const occurrences = draft.words.get(word);
      if (occurrences) insert.run(segment, word, encodeRun(occurrences));
    }
  }

  segments(): Segment[] {
    return this.#db
      .run("SELECT id, chunks FROM segments ORDER BY id")
      .all()
      .map(({ id, chunks }) => ({ id: Number(id), chunks: Number(chunks) }));
  }

  runs(word: string, segments: readonly Segment[]): Uint8Array[] {
    const select = this.#db.run("SELECT runs FROM postings WHERE segment = ? AND word = ?");
    return segments.flatMap(({ id }) => {
      const runs = select.get(id, word)?.runs;
      return runs instanceof Uint8Array ? [runs] : [];
    });
  }

  /** Joins the segments of one size if there are many of them; true if there may be more. */
  join(): boolean {
    const tiers = Map.groupBy(this.segments(), ({ chunks }) => tierOf(chunks));
    const crowded = [...tiers.values()].find(({ length }) => length >= JOINED);
    if (!crowded) return false;
    this.#joinAll(crowded);
    return true;
  }

  #joinAll(segments: readonly Segment[]): void {
    const into = this.#addSegment(segments.reduce((sum, { chunks }) => sum + chunks, 0));
    const ids = segments.map(({ id }) => id).join(", ");
    const insert = this.#db.run("INSERT INTO postings VALUES (?, ?, ?)");
    let word: unknown;
    let runs: Uint8Array[] = [];
    const put = () => {
      if (runs.length > 0) insert.run(into, String(word), runs.length === 1 && runs[0] ? runs[0] : Buffer.concat(runs));
    };
    const rows = this.#db.once(`SELECT word, runs FROM postings WHERE segment IN (${ids}) ORDER BY word, segment`);
    for (const row of rows.iterate()) {
      if (row.word !== word) {
        put();
        word = row.word;
        runs = [];
      }
      if (row.runs instanceof Uint8Array) runs.push(row.runs);
    }
    put();
    this.#db.once(`DELETE FROM postings WHERE segment IN (${ids})`).run();
    this.#db.once(`DELETE FROM segments WHERE id IN (${ids})`).run();
  }

  #addSegment(chunks: number): number {
    return Number(this.#db.run("INSERT INTO segments (chunks) VALUES (?)").run(chunks).lastInsertRowid);
  }
}

/** Segments of one tier differ in size by less than a factor of eight. */
function tierOf(chunks: number): number {
  return Math.floor(Math.log(Math.max(chunks / SMALLEST_CHUNKS, 1)) / Math.log(TIER_FACTOR));
}
