import { describe, expect, it } from "vitest";
import { memoryPostings } from "../../test/memory-postings.ts";
import { type FieldScoring, lengthNorms } from "./length-norms.ts";
import type { PostingLists } from "./posting-lists.ts";
import type { FieldWords } from "./word-fields.ts";
import { WordScorer } from "./word-score.ts";

const flat = { weight: 1, slope: 0 };
const plain: FieldScoring = { name: flat, path: flat, comment: flat, body: flat };
const options = { saturation: 1.2, limit: 10 };

const chunk = (body: string, rest: Partial<FieldWords> = {}): FieldWords => ({
  name: [],
  path: ["p"],
  comment: [],
  body: body.split(" "),
  ...rest,
});

function scored(lists: PostingLists, words: string, settings = options, scoring = plain) {
  const scorer = new WordScorer(lists, lengthNorms(lists, { chunk: scoring, file: scoring }));
  return scorer.score(
    words.split(" ").map((word) => ({ word, weight: 1 })),
    settings,
  );
}
const numbers = (hits: readonly { number: number }[]) => hits.map(({ number }) => number);

describe("scores of words", () => {
  it("are BM25 for one field", () => {
    const lists = memoryPostings([[chunk("retry retry other")], [chunk("retry")], [chunk("other")]]);
    const rarity = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
    const { chunks, files } = scored(lists, "retry");
    expect(numbers(chunks)).toEqual([0, 1]);
    expect(chunks[0]?.score).toBeCloseTo((rarity * 2) / (1.2 + 2), 5);
    expect(files[1]?.score).toBeCloseTo(rarity / (1.2 + 1), 5);
  });

  it("put rare words before common ones", () => {
    const lists = memoryPostings([[chunk("common")], [chunk("rare")], [chunk("common")], [chunk("none")]]);
    expect(numbers(scored(lists, "common rare").chunks)).toEqual([1, 0, 2]);
  });

  it("add up the chunks of a file, whose path counts once", () => {
    const file = [chunk("retry", { path: ["wait"] }), chunk("timeout", { path: ["wait"] })];
    const lists = memoryPostings([[chunk("retry x"), chunk("x y")], file, [chunk("wait wait")]]);
    expect(numbers(scored(lists, "retry timeout").files)).toEqual([1, 0]);
    expect(numbers(scored(lists, "wait").files)).toEqual([2, 1]);
  });

  it("weigh fields, and lessen long ones", () => {
    const named = { ...plain, name: { weight: 3, slope: 0 } };
    const lists = memoryPostings([[chunk("retry")], [chunk("x", { name: ["retry"] })]]);
    expect(numbers(scored(lists, "retry", options, named).chunks)).toEqual([1, 0]);
    const sloped = { ...plain, body: { weight: 1, slope: 1 } };
    const long = memoryPostings([[chunk("retry a b c d e")], [chunk("retry")]]);
    expect(numbers(scored(long, "retry", options, sloped).chunks)).toEqual([1, 0]);
  });

  it("keep the best, and reuse nothing of the search before", () => {
    const lists = memoryPostings(Array.from({ length: 30 }, (_, n) => [chunk(`retry ${"x ".repeat(n).trim()}`)]));
    const scorer = new WordScorer(lists, lengthNorms(lists, { chunk: plain, file: plain }));
    const search = (word: string) => scorer.score([{ word, weight: 1 }], { ...options, limit: 3 });
    const first = search("retry");
    expect(numbers(first.chunks)).toEqual([0, 1, 2]);
    expect(search("absent")).toEqual({ chunks: [], files: [] });
    expect(search("retry")).toEqual(first);
  });

  it("leave out removed chunks", () => {
    const whole = memoryPostings([[chunk("retry")], [chunk("retry")]]);
    const lengths = whole.lengths.slice();
    lengths.fill(0, 0, 4);
    expect(numbers(scored({ ...whole, lengths }, "retry").chunks)).toEqual([1]);
  });

  it("read several lists of a word", () => {
    const whole = memoryPostings([[chunk("retry"), chunk("x")], [chunk("retry y")]]);
    const split = { ...whole, lists: (word: string) => whole.lists(word).flatMap(eachAlone) };
    expect(scored(split, "retry x")).toEqual(scored(whole, "retry x"));
  });
});

function eachAlone({ chunks, counts }: { chunks: Uint32Array; counts: Uint8Array }) {
  return Array.from(chunks, (_, at) => ({
    chunks: chunks.subarray(at, at + 1),
    counts: counts.subarray(4 * at, 4 * at + 4),
  }));
}
