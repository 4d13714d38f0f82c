import type { RerankAnswer } from "@harness/core";
import type { CodeHit } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { ResultReranker } from "./result-reranker.ts";

function hit(path: string, score: number): CodeHit {
  const where = { startLine: 1, endLine: 2, kind: "text" as const, language: "text", signatures: [] };
  return { path, score, why: ["words: retry"], text: `text of ${path}`, ...where };
}

const hits = [hit("a.ts", 1), hit("b.ts", 0.9), hit("c.ts", 0.8)];

/** `marks`: a score for each path. */
function rerankerOf(marks: Readonly<Record<string, number>>, { isFailing = false } = {}) {
  const state = { wanted: "test/m" as string | undefined, isFailing, now: 0 };
  const asked: string[][] = [];
  const source = {
    get wanted() {
      return state.wanted;
    },
    open: async (name: string) => ({
      ok: true as const,
      reranker: {
        name,
        async score(_: string, texts: readonly string[]): Promise<RerankAnswer> {
          const paths = texts.map((text) => text.split("\n", 1)[0] ?? "");
          asked.push(paths);
          return state.isFailing ? { problem: "It is overloaded." } : { scores: paths.map((path) => marks[path] ?? 0) };
        },
      },
    }),
  };
  const clock = { now: () => 0, monotonicMs: () => state.now, sleep: async () => undefined };
  return { reranker: new ResultReranker(source, clock), asked, state };
}

const order = (results: readonly CodeHit[]) => results.map(({ path }) => path);

describe("reranking results", () => {
  it("lifts what the model finds best, and says so", async () => {
    const { reranker } = rerankerOf({ "a.ts": -4, "b.ts": -2, "c.ts": 8 });
    const { results, reranked } = await reranker.rerank("retries", hits);
    expect(order(results)).toEqual(["c.ts", "b.ts", "a.ts"]);
    expect(results[0]).toMatchObject({ score: 1, why: ["words: retry", "reranked by test/m"] });
    expect(results[1]?.why).toEqual(["words: retry"]);
    expect(reranked).toEqual({ by: "test/m" });
  });

  it("asks for each text and question once", async () => {
    const { reranker, asked } = rerankerOf({});
    await reranker.rerank("retries", hits);
    await reranker.rerank("retries", [...hits, hit("d.ts", 0.5)]);
    await reranker.rerank("limits", hits.slice(0, 2));
    expect(asked).toEqual([["a.ts", "b.ts", "c.ts"], ["d.ts"], ["a.ts", "b.ts"]]);
  });

  it("reads the first thirty, and leaves the others behind them", async () => {
    const many = Array.from({ length: 40 }, (_, at) => hit(`${at}.ts`, 1 - at / 40));
    const { reranker, asked } = rerankerOf({ "29.ts": 1, "30.ts": 9 });
    const { results } = await reranker.rerank("retries", many);
    expect(asked.map(({ length }) => length)).toEqual([30]);
    expect(order(results).slice(30)).toEqual(order(many).slice(30));
  });

  it("keeps the order where the model fails, says why, and leaves it alone for a minute", async () => {
    const { reranker, asked, state } = rerankerOf({ "c.ts": 8 }, { isFailing: true });
    const failed = await reranker.rerank("retries", hits);
    expect(failed).toEqual({ results: hits, reranked: { by: "test/m", problem: "It is overloaded." } });
    expect(await reranker.rerank("limits", hits)).toEqual(failed);
    expect(asked).toHaveLength(1);
    state.isFailing = false;
    state.now = 60_001;
    expect(order((await reranker.rerank("retries", hits)).results)[0]).toBe("c.ts");
  });

  it("does nothing where none is wanted, or there is nothing to compare", async () => {
    const { reranker, asked, state } = rerankerOf({ "c.ts": 8 });
    expect(reranker.wantedResults(5)).toBe(30);
    expect(await reranker.rerank("retries", hits.slice(0, 1))).toEqual({ results: hits.slice(0, 1) });
    state.wanted = undefined;
    expect(reranker.wantedResults(5)).toBe(5);
    expect(await reranker.rerank("retries", hits)).toEqual({ results: hits });
    expect(asked).toEqual([]);
  });
});
