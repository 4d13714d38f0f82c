import { embeddingText } from "../../embed/embedding-text.ts";
import type { DigestVector, MissingText, VectorCollection } from "../../embed/vector-collection.ts";
import { TEXT_VECTOR } from "./collections.ts";
import { contentId } from "./content-id.ts";
import { equals, isOneOf, isTrue, type PointFilter, type PointTable } from "./point-table.ts";
import { type Point, storedTexts } from "./stored-points.ts";

/** Up to so many missing texts, equal ones are counted once. */
const MAX_COUNTED = 2_000;

export type EmbedderTables = {
  /** Chunks are marked here when their text has a vector. */
  chunks: PointTable;
  /** A point for each text, by its digest. One without a vector is of a text that was given up. */
  vectors: PointTable;
};

/** The vectors of one embedder for one index. */
export class EmbedderVectors implements VectorCollection {
  /** The mark in the payload of chunks. */
  readonly flag: string;
  readonly #chunks: PointTable;
  readonly #vectors: PointTable;

  constructor(flag: string, { chunks, vectors }: EmbedderTables) {
    this.flag = flag;
    this.#chunks = chunks;
    this.#vectors = vectors;
  }

  async missing(limit: number): Promise<MissingText[]> {
    const payload = ["digest", "signatures", "comment", "text"];
    const found = new Map<string, MissingText>();
    for (const { payload: its } of await this.#chunks.some(this.#isMissing, limit * 2, payload)) {
      const digest = String(its.digest);
      const chunk = { signatures: storedTexts(its.signatures), comment: String(its.comment), text: String(its.text) };
      if (found.size < limit && !found.has(digest)) found.set(digest, { digest, text: embeddingText(chunk) });
    }
    return [...found.values()];
  }

  /** The vectors first: what is not marked after a kill is made again, to the same points. */
  async put(vectors: readonly DigestVector[]): Promise<void> {
    await this.#write(vectors.map(({ digest, vector }) => textPoint(digest, { [TEXT_VECTOR]: [...vector] })));
  }

  async giveUp(digests: readonly string[]): Promise<void> {
    await this.#write(digests.map((digest) => textPoint(digest, {})));
  }

  async progress(): Promise<{ done: number; total: number }> {
    const [done, missing] = [await this.#vectors.count({}), await this.#chunks.count(this.#isMissing)];
    if (missing === 0 || missing > MAX_COUNTED) return { done, total: done + missing };
    const chunks = await this.#chunks.some(this.#isMissing, MAX_COUNTED, ["digest"]);
    return { done, total: done + new Set(chunks.map(({ payload }) => payload.digest)).size };
  }

  /** Those of the texts that have a vector or were given up. */
  async known(digests: readonly string[]): Promise<string[]> {
    if (digests.length === 0) return [];
    const found = new Set((await this.#vectors.byId(digests.map(textId), [])).map(({ id }) => id));
    return digests.filter((digest) => found.has(textId(digest)));
  }

  remove(digests: readonly string[]): Promise<void> {
    return this.#vectors.remove(digests.map(textId));
  }

  async #write(points: readonly Point[]): Promise<void> {
    if (points.length === 0) return;
    await this.#vectors.upsert(points);
    const digests = points.map(({ payload }) => String(payload.digest));
    const filter = { must: [equals("entry", "chunk"), isOneOf("digest", digests)] };
    await this.#chunks.setPayloads([{ payload: { [this.flag]: true }, filter }]);
  }

  get #isMissing(): PointFilter {
    return { must: [equals("entry", "chunk")], must_not: [isTrue(this.flag)] };
  }
}

function textId(digest: string): string {
  return contentId("text", digest);
}

function textPoint(digest: string, vector: Point["vector"]): Point {
  return { id: textId(digest), vector, payload: { digest } };
}
