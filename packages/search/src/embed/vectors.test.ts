import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binaryCode, codeLength, meanVector, nearestCodes } from "./binary-codes.ts";
import { embeddingText } from "./embedding-text.ts";
import { nearestVectors } from "./nearest-vectors.ts";
import { packedProduct, packVector, unpackVector } from "./vector-blob.ts";

/** Uniform numbers from -1 to 1, the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32) * 2 - 1;
  };
}

function unit(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** Vectors around centres that share a large common part, as those of texts do. */
function clustered({ count, dimensions, clusters }: { count: number; dimensions: number; clusters: number }) {
  const random = randomOf(7);
  const common = Float32Array.from({ length: dimensions }, () => random());
  const centres = Array.from({ length: clusters }, () => common.map((value) => value + random()));
  return Array.from({ length: count }, (_, at) => {
    const centre = centres[at % clusters] ?? common;
    return unit(centre.map((value) => value + 0.6 * random()));
  });
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

function coded(vectors: Float32Array[]) {
  const dimensions = vectors[0]?.length ?? 0;
  const mean = meanVector(vectors.slice(0, 1_000), dimensions);
  const codes = new Uint32Array(vectors.length * codeLength(dimensions));
  for (const [at, vector] of vectors.entries()) codes.set(binaryCode(vector, mean), at * codeLength(dimensions));
  const packed = vectors.map(packVector);
  return { mean, codes, packed: (place: number) => packed[place] };
}

describe("a coarse search with exact rescoring", () => {
  it("finds nearly all that a search through all vectors finds", () => {
    const vectors = clustered({ count: 4_000, dimensions: 384, clusters: 80 });
    const index = coded(vectors);
    let found = 0;
    for (let at = 0; at < 40; at += 1) {
      const query = vectors[at * 97] ?? new Float32Array();
      const best = vectors
        .map((vector, place) => ({ place, score: dot(query, vector) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 10)
        .map(({ place }) => place);
      const near = new Set(nearestVectors(index, query, 10).map(({ place }) => place));
      found += best.filter((place) => near.has(place)).length;
    }
    expect(found / 400).toBeGreaterThan(0.97);
  });

  it("scores by the cosine, the best first, and leaves out what is not live", () => {
    const vectors = clustered({ count: 300, dimensions: 70, clusters: 3 });
    const query = vectors[5] ?? new Float32Array();
    const near = nearestVectors({ ...coded(vectors), isLive: (place) => place % 2 === 0 }, query, 20);
    expect(near).toHaveLength(20);
    expect(near.every(({ place }) => place % 2 === 0)).toBe(true);
    for (const { place, score } of near) expect(score).toBeCloseTo(dot(query, vectors[place] ?? query), 1);
    expect(near.map(({ score }) => score)).toEqual(near.map(({ score }) => score).toSorted((a, b) => b - a));
  });

  it("finds nothing in nothing", () => {
    expect(nearestVectors(coded([]), new Float32Array([1, 0]), 5)).toEqual([]);
  });
});

describe("the nearest codes", () => {
  const words = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  it("are those with the fewest different bits, also when bits are counted one by one", () => {
    const bits = (value: number) => (value >>> 0).toString(2).replaceAll("0", "").length;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, words), { maxLength: 40 }),
        fc.tuple(words, words),
        fc.integer({ min: 1, max: 10 }),
        (list, query, count) => {
          const expected = list
            .map(([a, b], place) => ({ place, distance: bits(a ^ query[0]) + bits(b ^ query[1]) }))
            .sort((a, b) => a.distance - b.distance || a.place - b.place)
            .slice(0, count)
            .map(({ place }) => place);
          expect(nearestCodes(Uint32Array.from(list.flat()), Uint32Array.from(query), count)).toEqual(expected);
        },
      ),
    );
  });
});

describe("a packed vector", () => {
  it("is nearly the same, in a quarter of the size", () => {
    const [vector = new Float32Array()] = clustered({ count: 1, dimensions: 384, clusters: 1 });
    const bytes = packVector(vector);
    expect(bytes).toHaveLength(388);
    expect(dot(unpackVector(bytes, 384) ?? vector, vector)).toBeCloseTo(1, 2);
    expect(packedProduct(vector, bytes)).toBeCloseTo(1, 2);
  });

  it("of other dimensions, or cut off, is none", () => {
    const bytes = packVector(new Float32Array([1, 2, 3]));
    expect(unpackVector(bytes, 4)).toBeUndefined();
    expect(packedProduct(new Float32Array(4), bytes)).toBeUndefined();
    expect(unpackVector(packVector(new Float32Array(3)), 3)).toEqual(new Float32Array(3));
    // From the middle of a larger buffer, as databases return them.
    const within = new Uint8Array(20);
    within.set(bytes, 5);
    expect(unpackVector(within.subarray(5, 12), 3)?.[2]).toBeCloseTo(3, 5);
  });
});

describe("the text of a chunk's vector", () => {
  it("begins with its signatures, and has a comment once", () => {
    const chunk = { signatures: ["class Queue", "push(item: T)"], comment: "Adds an item.", text: "push(item: T) {}" };
    expect(embeddingText(chunk)).toBe("class Queue\npush(item: T)\nAdds an item.\npush(item: T) {}");
    expect(embeddingText({ ...chunk, text: "// Adds an item.\npush() {}" }).match(/Adds/g)).toHaveLength(1);
  });
});
