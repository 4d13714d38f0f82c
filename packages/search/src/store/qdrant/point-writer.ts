import type { FileChanges } from "../index-store.ts";
import type { EmbedderVectors } from "./embedder-vectors.ts";
import { isOneOf, type PointTable } from "./point-table.ts";
import { chunkPoints, fileId, filePoint } from "./stored-points.ts";

/** Values in one condition. */
const PATHS = 500;

/**
 * Writes the changes of an index. There are no transactions: the chunks of a file come first and its state last, so that
 * the same change is made again after a write that was cut off.
 */
export class PointWriter {
  readonly #points: PointTable;
  /** Digests that may have left the index with chunks that were removed. */
  readonly left = new Set<string>();

  constructor(points: PointTable) {
    this.#points = points;
  }

  async write({ put, touched, removed }: FileChanges, embedders: readonly EmbedderVectors[]): Promise<void> {
    const chunks = put.flatMap(chunkPoints);
    const digests = [...new Set(chunks.map(({ digest }) => digest))];
    const flags = new Map<string, Record<string, true>>();
    for (const embedder of embedders) {
      for (const digest of await embedder.known(digests))
        flags.set(digest, { ...flags.get(digest), [embedder.flag]: true });
    }
    const before = await this.#chunksOf([...removed, ...put.map(({ path }) => path)]);
    await this.#points.upsert(
      chunks.map(({ digest, ...point }) => ({ ...point, payload: { ...point.payload, ...flags.get(digest) } })),
    );
    for (const { id, digest } of chunks) {
      before.delete(id);
      this.left.delete(digest);
    }
    await this.#points.remove([...before.keys()]);
    for (const digest of before.values()) if (!digests.includes(digest)) this.left.add(digest);
    await this.#points.remove(removed.map(fileId));
    await this.#points.upsert(put.map(filePoint));
    await this.#points.setPayloads(
      touched.map(({ path, sizeBytes, mtimeMs }) => ({
        payload: { size: sizeBytes, mtime: mtimeMs },
        filter: { must: [{ has_id: [fileId(path)] }] },
      })),
    );
  }

  /** The digests of the chunks of files, by their ids. */
  async #chunksOf(paths: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let at = 0; at < paths.length; at += PATHS) {
      const must = [isOneOf("entry", ["chunk"]), isOneOf("path", paths.slice(at, at + PATHS))];
      for await (const { id, payload } of this.#points.all({ must }, ["digest"])) found.set(id, String(payload.digest));
    }
    return found;
  }
}
