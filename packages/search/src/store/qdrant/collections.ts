import { contentId } from "./content-id.ts";
import type { QdrantLayout } from "./qdrant-address.ts";
import type { QdrantConnection } from "./qdrant-connection.ts";
import { QdrantRefusalError } from "./qdrant-connection.ts";

/** Of all below. Each version has collections of its own, so that an older harness can still use its. */
const LAYOUT_VERSION = 1;

/** The kinds of points in the collection of an index, in their payload as `entry`. */
export type PointKind = "chunk" | "file" | "embedder";

/** Sparse vectors: the words of a chunk, and of a whole file. */
export const CHUNK_WORDS = "words";
export const FILE_WORDS = "file_words";
/** The dense vector of a text. */
export const TEXT_VECTOR = "text";

/** Indexes of all that is filtered by: servers in strict mode refuse other filters. */
const payloadIndexes: Readonly<Record<string, "keyword" | "bool">> = {
  entry: "keyword",
  path: "keyword",
  language: "keyword",
  digest: "keyword",
  names: "keyword",
  folded: "keyword",
  grams: "keyword",
  fallback: "bool",
};

/** The name of the collection of an index. */
export function collectionName(index: string): string {
  return `harness-${LAYOUT_VERSION}-${contentId(index).replaceAll("-", "").slice(0, 24)}`;
}

/** Makes the collection of an index if it is not there, also if two do so at once. */
export async function makeIndexCollection(
  connection: QdrantConnection,
  name: string,
  layout: QdrantLayout,
): Promise<void> {
  // Words are few numbers for each chunk; texts are read when they are shown.
  const words = { modifier: "idf", index: { on_disk: false } };
  await makeCollection(connection, name, {
    sparse_vectors: { [CHUNK_WORDS]: words, [FILE_WORDS]: words },
    on_disk_payload: true,
    ...copiesOf(layout),
  });
  for (const [field, type] of Object.entries(payloadIndexes)) await makePayloadIndex(connection, name, { field, type });
}

/** Makes the collection of the vectors of one embedder; true if it was not there. */
export function makeVectorCollection(
  connection: QdrantConnection,
  { name, dimensions, layout }: { name: string; dimensions: number; layout: QdrantLayout },
): Promise<boolean> {
  const quantization = quantizationOf(layout);
  return makeCollection(connection, name, {
    vectors: {
      // The nearest are found by what is kept in memory, and scored by the whole vectors on disk.
      [TEXT_VECTOR]: { size: dimensions, distance: "Cosine", on_disk: quantization !== undefined },
    },
    ...(quantization && { quantization_config: quantization }),
    on_disk_payload: true,
    ...copiesOf(layout),
  });
}

/** Does nothing if it is there. */
export async function makePayloadIndex(
  connection: QdrantConnection,
  collection: string,
  { field, type }: { field: string; type: "keyword" | "bool" },
): Promise<void> {
  // Texts of every chunk: in memory they would take more than its vector.
  const schema = type === "keyword" ? { type, on_disk: true } : type;
  await connection.ask("PUT", `${pathOf(collection)}/index?wait=true`, { field_name: field, field_schema: schema });
}

export function pathOf(collection: string): string {
  return `/collections/${encodeURIComponent(collection)}`;
}

async function makeCollection(connection: QdrantConnection, name: string, body: object): Promise<boolean> {
  if (await isThere(connection, name)) return false;
  try {
    await connection.ask("PUT", pathOf(name), body);
    return true;
  } catch (error) {
    // Another process has just made it: 409, or 400 of older servers.
    const isMade = error instanceof QdrantRefusalError && (await isThere(connection, name));
    if (isMade) return false;
    throw error;
  }
}

async function isThere(connection: QdrantConnection, name: string): Promise<boolean> {
  const result = await connection.ask("GET", `${pathOf(name)}/exists`);
  return typeof result === "object" && result !== null && "exists" in result && result.exists === true;
}

function copiesOf({ shards, replicas, writeConsistency }: QdrantLayout): object {
  return {
    ...(shards !== undefined && { shard_number: shards }),
    ...(replicas !== undefined && { replication_factor: replicas }),
    ...(writeConsistency !== undefined && { write_consistency_factor: writeConsistency }),
  };
}

function quantizationOf({ quantization }: QdrantLayout): object | undefined {
  if (quantization === "scalar") return { scalar: { type: "int8", quantile: 0.99, always_ram: true } };
  return quantization === "binary" ? { binary: { always_ram: true } } : undefined;
}
