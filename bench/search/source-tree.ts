import { ChunkPool } from "../../packages/search/src/chunks/chunk-pool.ts";
import { CommitHistory } from "../../packages/search/src/history/commit-history.ts";
import { readCommits } from "../../packages/search/src/history/read-commits.ts";
import { readSource } from "../../packages/search/src/indexing/source-text.ts";
import { rankResults } from "../../packages/search/src/rank/rank-results.ts";
import type { RankWeights } from "../../packages/search/src/rank/rank-weights.ts";
import { MemoryIndex } from "../../packages/search/test/memory-index.ts";
import type { SourceFile } from "./baselines.ts";

const MAX_COMMITS = 5_000;

type SourceSearch = { limit: number; hasHistory: boolean; weights?: RankWeights };

/** The files of a checkout in an index in memory. */
export type SourceTree = {
  files: readonly SourceFile[];
  /** The paths of results, the best first; a file may be there more than once. */
  search(question: string, options: SourceSearch): Promise<string[]>;
};

export async function sourceTree(folder: string, paths: readonly string[]): Promise<SourceTree> {
  const files = paths.flatMap((path): SourceFile[] => {
    const text = readSource(folder, path)?.text;
    return text === undefined ? [] : [{ path, text }];
  });
  const chunked = await new ChunkPool().chunk(files);
  const index = new MemoryIndex(chunked.map((file, at) => ({ ...file, path: files[at]?.path ?? "" })));
  const log = await readCommits({ cwd: folder, env: environment() }, { limit: MAX_COMMITS });
  const history = new CommitHistory(log && log !== "none" ? log.commits : []);
  return {
    files,
    async search(question, { hasHistory, ...options }) {
      const ranked = await rankResults(question, { index, history: hasHistory ? history : undefined }, options);
      return ranked.map(({ path }) => path);
    },
  };
}

export function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])));
}
