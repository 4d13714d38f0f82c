import { extname, posix } from "node:path";
import type { CodeHit, CodeQuery } from "@harness/protocol";
import { type RankSources, rankResults } from "../rank/rank-results.ts";
import { wordCoverage } from "../rank/word-coverage.ts";
import type { StoredChunk } from "../store/index-store.ts";

type Filter = Pick<CodeQuery, "path" | "language" | "kind">;

/** `coverage`: the share of the query's words that a good hit has. */
export type SearchedCode = { hits: CodeHit[]; coverage: number };

/** The best chunks for a query that its filters let through. Rejects with the store's errors. */
export async function searchCode(sources: RankSources, query: CodeQuery): Promise<SearchedCode> {
  const { path, language, kind, limit } = query;
  const isFiltered = path !== undefined || language !== undefined || kind !== undefined;
  const filters = isFiltered ? { acceptsPath: pathFilter(query), accepts: chunkFilter(query) } : {};
  const ranked = await rankResults(query.query, sources, { limit, ...filters });
  const hits = ranked.map(
    ({ path: its, startLine, endLine, score, why, kind: part, language: spoken, signatures, text }) => ({
      path: its,
      startLine,
      endLine,
      score,
      why,
      kind: part,
      language: spoken,
      signatures,
      text,
    }),
  );
  return { hits, coverage: wordCoverage(query.query, ranked) };
}

/** A folder, a file, or a pattern; with `./` before it and `/` after it too. */
function pathFilter({ path }: Filter): (path: string) => boolean {
  if (path === undefined) return () => true;
  const wanted = posix.normalize(path).replace(/\/$/, "");
  if (wanted === ".") return () => true;
  const pattern = wanted.includes("/") ? wanted : `**/${wanted}`;
  return (its) => its === wanted || its.startsWith(`${wanted}/`) || posix.matchesGlob(its, pattern);
}

function chunkFilter({ language, kind }: Filter): (chunk: StoredChunk) => boolean {
  const wanted = language?.toLowerCase().replace(/^\./, "");
  const isWanted = (chunk: StoredChunk) =>
    wanted === undefined || chunk.language === wanted || extname(chunk.path).toLowerCase() === `.${wanted}`;
  return (chunk) => isWanted(chunk) && (kind === undefined || chunk.kind === kind);
}
