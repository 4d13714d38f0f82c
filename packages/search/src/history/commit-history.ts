import type { QueryWord } from "../store/index-store.ts";
import { wordsOf } from "../words/words.ts";
import type { Commit } from "./commit.ts";

/** Commits of more files are moves and reformats: they say nothing about one of them. */
const MAX_FILES = 30;
/** Files of larger commits did not change because of one another. */
const MAX_COMPANIONS = 10;
const FEWEST_TOGETHER = 2;
/** A word of a commit counts less for each file, the more files it changed. */
const SHARE_POWER = 0.35;
/** BM25's k1 and b for the words of a file's commits. */
const SATURATION = 2;
const SLOPE = 0.2;

/** `score`: comparable within one list. */
export type HistoryHit = { path: string; score: number };
/** `share`: of the commits of the file, in which this one changed too. */
export type Companion = { path: string; share: number };

type FileRecord = { path: string; commits: CommitRecord[]; length: number };
type CommitRecord = { subject: string; words: readonly string[]; files: FileRecord[]; weight: number };

/** The commits of the files of today, under the names that these have now. */
export class CommitHistory {
  readonly #files: ReadonlyMap<string, FileRecord>;
  readonly #postings = new Map<string, Map<FileRecord, number>>();
  readonly #averageLength: number;

  /** From commits, the newest first. */
  constructor(commits: readonly Commit[]) {
    this.#files = filesOf(commits);
    let total = 0;
    for (const file of this.#files.values()) {
      for (const { words, weight } of file.commits) {
        file.length += words.length * weight;
        for (const word of words) this.#add(word, file, weight);
      }
      total += file.length;
    }
    this.#averageLength = total / Math.max(this.#files.size, 1);
  }

  #add(word: string, file: FileRecord, weight: number): void {
    const files = this.#postings.get(word) ?? new Map<FileRecord, number>();
    if (files.size === 0) this.#postings.set(word, files);
    files.set(file, (files.get(file) ?? 0) + weight);
  }

  /** Files by BM25 over the words of their commits, the best first. */
  search(words: readonly QueryWord[], limit: number): HistoryHit[] {
    const scores = new Map<FileRecord, number>();
    for (const { word, weight } of words) {
      const files = this.#postings.get(word);
      if (!files) continue;
      const rarity = weight * this.#rarityOf(files.size);
      for (const [file, amount] of files) {
        const much = amount / (1 - SLOPE + (SLOPE * file.length) / this.#averageLength);
        scores.set(file, (scores.get(file) ?? 0) + (rarity * much) / (SATURATION + much));
      }
    }
    const hits = [...scores].map(([{ path }, score]) => ({ path, score }));
    return hits.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, limit);
  }

  /** The subject of the file's commit that has most of the words; undefined if none has any. */
  subject(path: string, words: readonly QueryWord[]): string | undefined {
    const rarity = new Map(
      words.map(({ word, weight }) => [word, weight * this.#rarityOf(this.#postings.get(word)?.size)]),
    );
    let best = { score: 0, subject: "" };
    for (const { words: its, weight, subject } of this.#files.get(path)?.commits ?? []) {
      const score = weight * its.reduce((sum, word) => sum + (rarity.get(word) ?? 0), 0);
      if (score > best.score) best = { score, subject };
    }
    return best.score > 0 ? best.subject : undefined;
  }

  /** How many commits changed the file. */
  commitCount(path: string): number {
    return this.#files.get(path)?.commits.length ?? 0;
  }

  /** The files that changed in several of its commits, the most frequent first. */
  companions(path: string): Companion[] {
    const commits = this.#files.get(path)?.commits ?? [];
    const together = new Map<string, number>();
    for (const { files } of commits)
      if (files.length <= MAX_COMPANIONS)
        for (const other of files)
          if (other.path !== path) together.set(other.path, (together.get(other.path) ?? 0) + 1);
    return [...together]
      .filter(([, times]) => times >= FEWEST_TOGETHER)
      .map(([other, times]) => ({ path: other, share: times / (commits.length + 2) }))
      .sort((a, b) => b.share - a.share || (a.path < b.path ? -1 : 1));
  }

  #rarityOf(files = 0): number {
    return Math.log(1 + (this.#files.size - files + 0.5) / (files + 0.5));
  }
}

/** The files with their commits. A renamed file has those of its earlier names; a removed one is left out. */
function filesOf(commits: readonly Commit[]): Map<string, FileRecord> {
  const files = new Map<string, FileRecord>();
  const nameNow = new Map<string, string>();
  const removed = new Set<string>();
  for (const { subject, files: changed } of commits) {
    const paths: string[] = [];
    for (const { path, from, isRemoved } of changed) {
      const now = nameNow.get(path) ?? path;
      if (isRemoved && !files.has(now)) removed.add(now);
      if (from !== undefined) nameNow.set(from, now);
      if (!removed.has(now)) paths.push(now);
    }
    if (changed.length > MAX_FILES) continue;
    const commit: CommitRecord = {
      subject,
      words: [...new Set(wordsOf(subject))],
      files: [],
      weight: changed.length ** -SHARE_POWER,
    };
    for (const path of paths) {
      const file = files.get(path) ?? { path, commits: [], length: 0 };
      files.set(path, file);
      file.commits.push(commit);
      commit.files.push(file);
    }
  }
  return files;
}
