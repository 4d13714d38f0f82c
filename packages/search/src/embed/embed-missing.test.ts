import type { Clock, Embedder, EmbeddingAnswer } from "@harness/core";
import { describe, expect, it } from "vitest";
import { type EmbedProgress, embedMissing } from "./embed-missing.ts";
import type { DigestVector, VectorCollection } from "./vector-collection.ts";

class MemoryCollection implements VectorCollection {
  readonly vectors = new Map<string, Float32Array>();
  readonly givenUp = new Set<string>();
  readonly #texts: string[];

  constructor(count: number) {
    this.#texts = Array.from({ length: count }, (_, at) => `text ${at}`);
  }

  async missing(limit: number) {
    const isMissing = (digest: string) => !this.vectors.has(digest) && !this.givenUp.has(digest);
    return this.#texts
      .filter(isMissing)
      .slice(0, limit)
      .map((text) => ({ digest: text, text }));
  }

  async put(vectors: readonly DigestVector[]) {
    for (const { digest, vector } of vectors) this.vectors.set(digest, vector);
  }

  async giveUp(digests: readonly string[]) {
    for (const digest of digests) this.givenUp.add(digest);
  }

  async progress() {
    return { done: this.vectors.size + this.givenUp.size, total: this.#texts.length };
  }
}

type Answer = (texts: readonly string[], call: number) => EmbeddingAnswer;
const vector = new Float32Array([1, 0]);
const all: Answer = (texts) => ({ vectors: texts.map(() => vector) });

function setUp(count: number, answer: Answer) {
  const collection = new MemoryCollection(count);
  const sizes: number[] = [];
  const slept: number[] = [];
  const progress: EmbedProgress[] = [];
  const stop = new AbortController();
  const clock: Clock = {
    now: () => 0,
    monotonicMs: () => sizes.length * 1_000,
    sleep: async (ms) => void slept.push(ms),
  };
  const embedder: Embedder = {
    ...{ name: "scripted", key: "scripted@2", dimensions: 2, maxTokens: 100 },
    embed: async (texts) => {
      sizes.push(texts.length);
      return answer(texts, sizes.length);
    },
  };
  const run = (more: { pause?: () => Promise<void> } = {}) =>
    embedMissing({
      embedder,
      collection,
      clock,
      signal: stop.signal,
      onProgress: (each) => progress.push(each),
      ...more,
    });
  return { collection, sizes, slept, progress, stop, run };
}

describe("embedMissing", () => {
  it("makes all vectors page by page, and reports how far and how fast", async () => {
    const { collection, sizes, progress, run } = setUp(150, all);
    expect(await run()).toEqual({ embedded: 150, givenUp: 0 });
    expect(sizes).toEqual([64, 64, 22]);
    expect(collection.vectors.size).toBe(150);
    expect(progress.at(-1)).toEqual({ done: 150, total: 150, perSecond: 50 });
    expect(await run()).toEqual({ embedded: 0, givenUp: 0 });
  });

  it("stores what came before a problem, and goes on from there", async () => {
    const { collection, run } = setUp(100, (texts, call) =>
      call === 2
        ? {
            vectors: texts.map((_, at) => (at < 5 ? vector : undefined)),
            problem: { kind: "auth", message: "No key." },
          }
        : all(texts, call),
    );
    expect(await run()).toEqual({ embedded: 69, givenUp: 0, problem: { kind: "auth", message: "No key." } });
    expect(await run()).toEqual({ embedded: 31, givenUp: 0 });
    expect(collection.vectors.size).toBe(100);
  });

  it("waits as long as a server asks, or longer and longer", async () => {
    const { slept, progress, run } = setUp(10, (texts, call) => {
      if (call === 1) return { vectors: [], problem: { kind: "rateLimit", message: "Slowly.", retryAfterMs: 90_000 } };
      if (call <= 3) return { vectors: [], problem: { kind: "network", message: "Away." } };
      return all(texts, call);
    });
    expect(await run()).toEqual({ embedded: 10, givenUp: 0 });
    expect(slept).toEqual([90_000, 10_000, 20_000]);
    expect(progress[0]?.waiting).toMatchObject({ ms: 90_000, problem: { kind: "rateLimit" } });
  });

  it("ends with the problem when a server stays away", async () => {
    const { slept, run } = setUp(10, () => ({ vectors: [], problem: { kind: "network", message: "Away." } }));
    expect(await run()).toEqual({ embedded: 0, givenUp: 0, problem: { kind: "network", message: "Away." } });
    expect(slept).toHaveLength(6);
  });

  const bad = { kind: "badAnswer" as const, message: "1 of 64 texts has no vector." };
  it("gives up a text that has no vector while others have", async () => {
    const { collection, run } = setUp(70, (texts) => {
      const vectors = texts.map((text) => (text === "text 3" ? null : vector));
      return vectors.includes(null) ? { vectors, problem: bad } : { vectors };
    });
    expect(await run()).toEqual({ embedded: 69, givenUp: 1 });
    expect([...collection.givenUp]).toEqual(["text 3"]);
  });

  it("gives up nothing if the model makes no vectors at all", async () => {
    const { collection, run } = setUp(70, (texts) => ({ vectors: texts.map(() => null), problem: bad }));
    expect(await run()).toEqual({ embedded: 0, givenUp: 0, problem: bad });
    expect(collection.givenUp.size).toBe(0);
  });

  it("stops between two pages, and can be paused there", async () => {
    let pauses = 0;
    const { stop, sizes, run } = setUp(200, all);
    const pause = async () => {
      pauses += 1;
      if (pauses === 3) stop.abort();
    };
    expect(await run({ pause })).toMatchObject({ embedded: 128, problem: { kind: "stopped" } });
    expect(sizes).toEqual([64, 64]);
  });
});
