import { StoreError } from "../store-error.ts";

const quantizations = ["scalar", "binary", "none"] as const;

/** How a collection is made; absent: the server's default. A collection that exists stays as it is. */
export type QdrantLayout = {
  shards?: number;
  /** Copies of each shard, the first included. */
  replicas?: number;
  /** How many copies must have a change before it counts as written. */
  writeConsistency?: number;
  /** How much of a vector is kept in memory: a byte for each dimension, a bit, or all of it. */
  quantization: (typeof quantizations)[number];
};

/** `base`: without a slash at the end. */
export type QdrantAddress = { base: string; layout: QdrantLayout };

const EXAMPLE = "http://localhost:6333, or https://qdrant.example.com:6333/?shards=6&replicas=2";
const MAX_COUNT = 1_000;

/** Reads the address of a server, with the layout of new collections as its parameters. Throws a `StoreError`. */
export function qdrantAddress(text: string): QdrantAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new StoreError(`The address of Qdrant is not valid. Examples: ${EXAMPLE}.`);
  if (url.username !== "" || url.password !== "") {
    const advice = "Put the key into the variable QDRANT_API_KEY.";
    throw new StoreError(`The address of Qdrant cannot contain a key or a password. ${advice}`);
  }
  // A server without TLS that has no port in its address listens on Qdrant's own.
  const port = url.port === "" && url.protocol === "http:" ? ":6333" : "";
  return { base: `${url.origin}${port}${url.pathname.replace(/\/+$/, "")}`, layout: layoutOf(url.searchParams) };
}

function layoutOf(parameters: URLSearchParams): QdrantLayout {
  const layout: QdrantLayout = { quantization: "scalar" };
  for (const [name, value] of parameters) {
    if (name === "shards") layout.shards = countOf(name, value);
    else if (name === "replicas") layout.replicas = countOf(name, value);
    else if (name === "write_consistency") layout.writeConsistency = countOf(name, value);
    else if (name === "quantization") layout.quantization = quantizationOf(value);
    else {
      const known = "shards, replicas, write_consistency and quantization";
      throw new StoreError(`The address of Qdrant has an unknown parameter, \`${name}\`. It can have ${known}.`);
    }
  }
  const { replicas = 1, writeConsistency = 1 } = layout;
  if (writeConsistency > replicas)
    throw new StoreError(
      "In the address of Qdrant, `write_consistency` is larger than `replicas`: no write could end.",
    );
  return layout;
}

function countOf(name: string, value: string): number {
  const count = Number(value);
  if (/^\d+$/.test(value) && count >= 1 && count <= MAX_COUNT) return count;
  throw new StoreError(`In the address of Qdrant, \`${name}\` must be a number from 1 to ${MAX_COUNT}.`);
}

function quantizationOf(value: string): QdrantLayout["quantization"] {
  const known = quantizations.find((each) => each === value);
  if (known) return known;
  throw new StoreError(`In the address of Qdrant, \`quantization\` must be one of ${quantizations.join(", ")}.`);
}
