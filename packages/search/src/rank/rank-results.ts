import type { CommitHistory } from "../history/commit-history.ts";
import type { ChunkId, IndexReader, StoredChunk } from "../store/index-store.ts";
import { bestChunk } from "./best-chunk.ts";
import { CandidateTable, type FileCandidate } from "./file-candidate.ts";
import { withoutDuplicates } from "./near-duplicates.ts";
import { readQuestion, type SearchQuestion } from "./question.ts";
import { type RankWeights, rankWeights } from "./rank-weights.ts";
import { reasonsFor } from "./reasons.ts";

export type RankSources = {
  index: Pick<IndexReader, "searchWords" | "searchSymbols" | "nearest" | "chunks" | "fileChunks">;
  /** Of the folder's repository. */
  history?: CommitHistory | undefined;
  /** The vector of the query by the model of the index. */
  vector?: Float32Array | undefined;
};

/** `accepts`: what a filter of the query lets through. */
export type RankOptions = {
  limit: number;
  weights?: RankWeights;
  acceptsPath?: (path: string) => boolean;
  accepts?: (chunk: StoredChunk) => boolean;
};

/** `score`: 1 for the best. `why`: the strongest reason first. */
export type RankedChunk = StoredChunk & { score: number; why: string[] };

/** How many chunks and files each source brings. */
const CANDIDATES = 200;
/** With a filter most of them may be left out. */
const FILTERED_CANDIDATES = 2_000;
const MAX_DEFINITIONS = 20;
/** Results that are looked at beyond the limit, as some are duplicates or gone. */
const SPARE = 10;

/** The chunks that answer a query, the best first: mostly one of each file. Rejects with the store's errors. */
export async function rankResults(query: string, sources: RankSources, options: RankOptions): Promise<RankedChunk[]> {
  const { limit, weights = rankWeights, acceptsPath = () => true, accepts = () => true } = options;
  const question = readQuestion(query);
  const isFiltered = options.acceptsPath !== undefined || options.accepts !== undefined;
  const found = await gather(question, sources, { weights, most: isFiltered ? FILTERED_CANDIDATES : CANDIDATES });
  const { history } = sources;
  const files = found
    .ranked(question, weights, (path) => history?.companions(path) ?? [])
    .filter(({ path, score }) => score > 0 && acceptsPath(path));
  const placed = await placedChunks(files, { sources, question, weights, accepts, wanted: limit + SPARE });
  const top = withoutDuplicates(placed).slice(0, limit);
  const best = top[0]?.score ?? 1;
  return top.map(({ chunk, score, file }) => ({
    ...chunk,
    score: score / best,
    why: reasonsFor({ chunk, file, question, history }),
  }));
}

async function gather(
  question: SearchQuestion,
  { index, history, vector }: RankSources,
  { weights, most }: { weights: RankWeights; most: number },
): Promise<CandidateTable> {
  const table = new CandidateTable();
  const { chunks, files } = await index.searchWords(question.words, most);
  addChunks(table, "chunks", chunks);
  for (const { path, score } of files) table.at(path).evidence.files = score / (files[0]?.score ?? 1);
  if (weights.symbols > 0) await addSymbols(table, question, index);
  if (history && weights.history > 0) {
    const hits = history.search(question.words, most);
    for (const { path, score } of hits) table.at(path).evidence.history = score / (hits[0]?.score ?? 1);
  }
  if (vector && weights.vectors > 0) addChunks(table, "vectors", await index.nearest(vector, most));
  return table;
}

/** Scores of words begin at 0. Cosines do not: the last hit is what any text of the folder has. */
function addChunks(
  table: CandidateTable,
  source: "chunks" | "vectors",
  hits: readonly { chunk: ChunkId; path: string; score: number }[],
): void {
  const least = source === "vectors" && hits.length > 1 ? (hits.at(-1)?.score ?? 0) : 0;
  const range = (hits[0]?.score ?? 1) - least || 1;
  for (const { chunk, path, score } of hits) {
    const file = table.at(path);
    const share = (score - least) / range;
    file.chunks.set(chunk, (file.chunks.get(chunk) ?? 0) + share);
    file.evidence[source] = Math.max(file.evidence[source] ?? 0, share);
  }
}

/** A name that many files define says less of each. */
async function addSymbols(
  table: CandidateTable,
  { names }: SearchQuestion,
  index: RankSources["index"],
): Promise<void> {
  for (const name of names) {
    const hits = await index.searchSymbols(name, { limit: MAX_DEFINITIONS, isPart: false });
    if (hits.length === 0) continue;
    const chunks = await index.chunks(hits.map(({ chunk }) => chunk));
    const share = new Set(chunks.map(({ path }) => path)).size ** -0.5;
    const seen = new Set<string>();
    for (const { id, path } of chunks) {
      const file = table.at(path);
      file.chunks.set(id, (file.chunks.get(id) ?? 0) + share);
      file.symbol ??= name;
      if (!seen.has(path)) file.evidence.symbols = Math.min((file.evidence.symbols ?? 0) + share, 1);
      seen.add(path);
    }
  }
}

type PlacedChunk = { chunk: StoredChunk; score: number; file: FileCandidate };

/** The best chunk of each file with the file's score, and further ones with less. */
async function placedChunks(
  files: readonly FileCandidate[],
  {
    sources: { index },
    question,
    weights,
    accepts,
    wanted,
  }: {
    sources: RankSources;
    question: SearchQuestion;
    weights: RankWeights;
    accepts: (chunk: StoredChunk) => boolean;
    wanted: number;
  },
): Promise<PlacedChunk[]> {
  const placed: PlacedChunk[] = [];
  let filled = 0;
  for (const file of files) {
    if (filled >= wanted) break;
    const ids = [...file.chunks].sort(([, a], [, b]) => b - a).slice(0, wanted);
    const hits = (await index.chunks(ids.map(([id]) => id))).filter(accepts);
    // A file that was found as a whole, or by its history.
    const chunks = hits.length > 0 ? hits : bestChunk((await index.fileChunks(file.path)).filter(accepts), question);
    const best = file.chunks.get(chunks[0]?.id ?? "") ?? 1;
    for (const [at, chunk] of chunks.entries()) {
      const share = (file.chunks.get(chunk.id) ?? 0) / best;
      placed.push({ chunk, file, score: at === 0 ? file.score : file.score * weights.again * share });
    }
    if (chunks.length > 0) filled += 1;
  }
  return placed.sort((a, b) => b.score - a.score);
}
