import type { CodeHit, CodeQuery } from "@harness/protocol";
import type { IndexReader } from "../store/index-store.ts";
import { wordsOf } from "../words/words.ts";
export async function searchCode(store: IndexReader, query: CodeQuery): Promise<CodeHit[]> {
  const hits = await store.searchWords(
    [...new Set(wordsOf(query.query))].map((word) => ({ word, weight: 1 })),
    50,
  );
  const chunks = await store.chunks(hits.chunks.slice(0, query.limit).map(({ chunk }) => chunk));
  return chunks.map((c, i) => ({ ...c, why: ["words"], score: hits.chunks[i]?.score ?? 0 }));
}
