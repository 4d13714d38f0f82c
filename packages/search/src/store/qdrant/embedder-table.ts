import type { EmbedderIdentity } from "../../embed/vector-collection.ts";
import { StoreError } from "../store-error.ts";
import { makePayloadIndex, makeVectorCollection, pathOf } from "./collections.ts";
import { contentId } from "./content-id.ts";
import { EmbedderVectors } from "./embedder-vectors.ts";
import { equals, PointTable } from "./point-table.ts";
import type { QdrantLayout } from "./qdrant-address.ts";
import type { QdrantConnection } from "./qdrant-connection.ts";

type EmbedderEntry = EmbedderIdentity & { id: string; dimensions: number; collection: string };

const isEmbedder = { must: [equals("entry", "embedder")] };
const isChunk = { must: [equals("entry", "chunk")] };

/** The embedders of an index: each has a collection of vectors, and an alias names the one that is searched. */
export class EmbedderTable {
  readonly #connection: QdrantConnection;
  readonly #index: string;
  readonly #layout: QdrantLayout;
  readonly #points: PointTable;

  constructor(connection: QdrantConnection, index: string, layout: QdrantLayout) {
    this.#connection = connection;
    this.#index = index;
    this.#layout = layout;
    this.#points = new PointTable(connection, index);
  }

  /** The collection that is searched. */
  get alias(): string {
    return `${this.#index}-vectors`;
  }

  async all(): Promise<EmbedderVectors[]> {
    return (await this.#entries()).map((entry) => this.#vectorsOf(entry));
  }

  async open({ key, name, dimensions }: EmbedderIdentity & { dimensions: number }): Promise<EmbedderVectors> {
    const known = (await this.#entries()).find((entry) => entry.key === key);
    if (known && known.dimensions !== dimensions) {
      const has = `have ${known.dimensions} dimensions and not ${dimensions}`;
      throw new StoreError(`The vectors of ${key} in Qdrant at ${this.#connection.shown} ${has}.`);
    }
    const id = contentId("embedder", key);
    const entry = { id, key, name, dimensions, collection: `${this.#index}-${id.slice(0, 8)}` };
    const flag = flagOf(entry);
    const layout = { name: entry.collection, dimensions, layout: this.#layout };
    await makePayloadIndex(this.#connection, this.#index, { field: flag, type: "bool" });
    // Marks of vectors that are gone would keep them from being made.
    if (await makeVectorCollection(this.#connection, layout)) await this.#points.removePayload(flag, isChunk);
    const payload = { entry: "embedder" as const, key, name, dimensions, collection: entry.collection };
    if (!known) await this.#points.upsert([{ id, vector: {}, payload }]);
    return this.#vectorsOf(entry);
  }

  /** In one step for those who search; then the collections of other embedders go. */
  async adopt(key: string): Promise<void> {
    const entries = await this.#entries();
    const chosen = entries.find((entry) => entry.key === key);
    if (!chosen) return;
    const next = { collection_name: chosen.collection, alias_name: this.alias };
    await this.#connection.ask("POST", "/collections/aliases", {
      actions: [{ delete_alias: { alias_name: this.alias } }, { create_alias: next }],
    });
    for (const entry of entries) {
      if (entry === chosen) continue;
      await this.#connection.ask("DELETE", pathOf(entry.collection));
      await this.#points.removePayload(flagOf(entry), isChunk);
      await this.#connection.ask("DELETE", `${pathOf(this.#index)}/index/${flagOf(entry)}?wait=true`);
      await this.#points.remove([entry.id]);
    }
  }

  async adopted(): Promise<EmbedderEntry | undefined> {
    for (const entry of await this.#entries()) {
      const result = await this.#connection.find("GET", `${pathOf(entry.collection)}/aliases`);
      if (JSON.stringify(result ?? "").includes(JSON.stringify(this.alias))) return entry;
    }
    return undefined;
  }

  /** Deletes their collections. */
  async removeAll(): Promise<void> {
    for (const { collection } of await this.#entries()) await this.#connection.ask("DELETE", pathOf(collection));
  }

  async #entries(): Promise<EmbedderEntry[]> {
    const entries: EmbedderEntry[] = [];
    for await (const { id, payload } of this.#points.all(isEmbedder, true)) {
      const { key, name, dimensions, collection } = payload;
      entries.push({
        id,
        key: String(key),
        name: String(name),
        dimensions: Number(dimensions),
        collection: String(collection),
      });
    }
    return entries;
  }

  #vectorsOf(entry: EmbedderEntry): EmbedderVectors {
    const vectors = new PointTable(this.#connection, entry.collection);
    return new EmbedderVectors(flagOf(entry), { chunks: this.#points, vectors });
  }
}

function flagOf({ id }: Pick<EmbedderEntry, "id">): string {
  return `embedded_${id.slice(0, 8)}`;
}
