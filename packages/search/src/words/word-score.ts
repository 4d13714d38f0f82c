import { type LengthNorms, PATH_FIELD } from "./length-norms.ts";
import type { PostingList, PostingLists } from "./posting-lists.ts";
import { wordFields } from "./word-fields.ts";

const FIELDS = wordFields.length;

/** `number`: of a chunk or a file. */
type NumberedHit = { number: number; score: number };
export type NumberedHits = { chunks: NumberedHit[]; files: NumberedHit[] };

/** `weight`: 1 for a word that the person typed. */
export type ScoredWord = { word: string; weight: number };

export type WordScoreOptions = {
  /** How soon more occurrences of a word stop counting: BM25's k1. */
  saturation: number;
  limit: number;
};

/** Scores by chunk or by file. */
class ScoreTable {
  readonly scores: Float32Array;
  readonly #live: number;

  constructor(count: number, live: number) {
    this.#live = live;
    this.scores = new Float32Array(count);
  }

  /** Adds a word. */
  add({ numbers, amounts, count }: PlaceList, { weight, saturation }: { weight: number; saturation: number }): void {
    const { scores } = this;
    const rarity = weight * Math.log(1 + (this.#live - count + 0.5) / (count + 0.5));
    for (let at = 0; at < count; at += 1) {
      const place = numbers[at] ?? 0;
      const amount = amounts[at] ?? 0;
      scores[place] = (scores[place] ?? 0) + (rarity * amount) / (saturation + amount);
    }
  }

  clear(): void {
    this.scores.fill(0);
  }

  best(limit: number): NumberedHit[] {
    const { scores } = this;
    const hits = new HitPool(limit);
    for (let place = 0; place < scores.length; place += 1) {
      const score = scores[place] ?? 0;
      if (score > hits.least) hits.add(place, score);
    }
    return hits.sorted();
  }
}

/** The hits with the highest scores. */
class HitPool {
  /** Hits up to this score are not kept. */
  least = 0;
  #hits: NumberedHit[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(number: number, score: number): void {
    this.#hits.push({ number, score });
    if (this.#hits.length >= 2 * this.#limit) this.#cut();
  }

  sorted(): NumberedHit[] {
    this.#cut();
    return this.#hits;
  }

  #cut(): void {
    this.#hits.sort((a, b) => b.score - a.score || a.number - b.number);
    if (this.#hits.length < this.#limit) return;
    this.#hits.length = this.#limit;
    this.least = this.#hits.at(-1)?.score ?? 0;
  }
}

/** Scores the chunks and files of one index by BM25F. Its arrays are reused, so that searches do not allocate them. */
export class WordScorer {
  readonly #occurrences: OccurrenceReader;
  readonly #chunks: ScoreTable;
  readonly #files: ScoreTable;

  constructor(lists: PostingLists, norms: LengthNorms) {
    this.#occurrences = new OccurrenceReader(lists, norms);
    this.#chunks = new ScoreTable(lists.chunkCount, norms.liveChunks);
    this.#files = new ScoreTable(norms.fileCount, norms.liveFiles);
  }

  /** Chunks and whole files in one pass over the words' lists: the best first, at most `limit` of each. */
  score(words: readonly ScoredWord[], { saturation, limit }: WordScoreOptions): NumberedHits {
    this.#chunks.clear();
    this.#files.clear();
    const { chunks, files } = this.#occurrences;
    for (const { word, weight } of words) {
      this.#occurrences.read(word);
      this.#chunks.add(chunks, { weight, saturation });
      this.#files.add(files, { weight, saturation });
    }
    return { chunks: this.#chunks.best(limit), files: this.#files.best(limit) };
  }
}

/** Where a word occurs, and how much. */
class PlaceList {
  readonly numbers: Uint32Array;
  readonly amounts: Float32Array;
  count = 0;

  constructor(most: number) {
    this.numbers = new Uint32Array(most);
    this.amounts = new Float32Array(most);
  }
}

/** The chunks and files with one word, and how much of it they have after their lengths; its arrays are reused. */
class OccurrenceReader {
  readonly chunks: PlaceList;
  readonly files: PlaceList;
  readonly #lists: PostingLists;
  readonly #norms: LengthNorms;

  constructor(lists: PostingLists, norms: LengthNorms) {
    this.#lists = lists;
    this.#norms = norms;
    this.chunks = new PlaceList(lists.chunkCount);
    this.files = new PlaceList(norms.fileCount);
  }

  read(word: string): void {
    this.chunks.count = 0;
    this.files.count = 0;
    for (const list of this.#lists.lists(word)) this.#readList(list);
  }

  /** The fields are written out: this is the innermost loop of a search. */
  #readList({ chunks: listed, counts }: PostingList): void {
    const { files: fileOf, lengths } = this.#lists;
    const { chunkNorms } = this.#norms;
    const { numbers, amounts } = this.chunks;
    let found = this.chunks.count;
    let file = -1;
    let [names, paths, comments, bodies] = [0, 0, 0, 0];
    for (let at = 0; at < listed.length; at += 1) {
      const chunk = listed[at] ?? 0;
      const base = chunk * FIELDS;
      // Every chunk has words of its path, unless it was removed.
      if (lengths[base + PATH_FIELD] === 0) continue;
      const its = fileOf[chunk] ?? 0;
      if (its !== file) {
        if (file >= 0) this.#endFile(file, names, paths, comments, bodies);
        file = its;
        names = 0;
        comments = 0;
        bodies = 0;
      }
      const from = at * FIELDS;
      const name = counts[from] ?? 0;
      paths = counts[from + 1] ?? 0;
      const comment = counts[from + 2] ?? 0;
      const body = counts[from + 3] ?? 0;
      names += name;
      comments += comment;
      bodies += body;
      numbers[found] = chunk;
      amounts[found] =
        name * (chunkNorms[base] ?? 0) +
        paths * (chunkNorms[base + 1] ?? 0) +
        comment * (chunkNorms[base + 2] ?? 0) +
        body * (chunkNorms[base + 3] ?? 0);
      found += 1;
    }
    if (file >= 0) this.#endFile(file, names, paths, comments, bodies);
    this.chunks.count = found;
  }

  #endFile(file: number, name: number, path: number, comment: number, body: number): void {
    const { fileNorms } = this.#norms;
    const base = file * FIELDS;
    const { files } = this;
    files.numbers[files.count] = file;
    files.amounts[files.count] =
      name * (fileNorms[base] ?? 0) +
      path * (fileNorms[base + 1] ?? 0) +
      comment * (fileNorms[base + 2] ?? 0) +
      body * (fileNorms[base + 3] ?? 0);
    files.count += 1;
  }
}
