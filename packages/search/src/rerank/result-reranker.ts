import { createHash } from "node:crypto";
import type { Clock, Reranker, RerankerResult } from "@harness/core";
import type { CodeAnswer, CodeHit } from "@harness/protocol";

/** The reranker of the settings. */
export interface RerankerSource {
  /** The name in the settings; undefined: results keep their order. */
  readonly wanted: string | undefined;
  open(name: string): Promise<RerankerResult>;
}

/** How many of the first results are compared anew: a model reads each of them. */
const RERANKED = 30;
/** Rerankers are trained on texts of some hundred tokens, and most cut the rest. */
const MAX_TEXT = 2_000;
/** A search is not held up by a model that is slow or gone. */
const SCORE_MS = 5_000;
/** After a failure the model is left alone for so long. */
const REST_MS = 60_000;
/** Scores that are kept: those of some hundred questions. */
const MAX_KEPT = 10_000;
/** The share of the score that comes from the model. */
const SHARE = 0.5;

/** Puts the first results of a search in the order that a reranking model gives them. Nothing here rejects. */
export class ResultReranker {
  readonly #source: RerankerSource;
  readonly #clock: Clock;
  /** By model, question and text. */
  readonly #scores = new Map<string, number>();
  #rest: { name: string; untilMs: number; problem: string } | undefined;

  constructor(source: RerankerSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /** How many results to search for if `limit` are wanted. */
  wantedResults(limit: number): number {
    return this.#source.wanted === undefined ? limit : Math.max(limit, RERANKED);
  }

  /** `reranked`: absent if no reranker is wanted. If the model gives no scores in time, results keep their order. */
  async rerank(question: string, hits: readonly CodeHit[]): Promise<Pick<CodeAnswer, "results" | "reranked">> {
    const { wanted } = this.#source;
    if (wanted === undefined || hits.length < 2) return { results: [...hits] };
    const resting = this.#rest;
    if (resting?.name === wanted && this.#clock.monotonicMs() < resting.untilMs)
      return { results: [...hits], reranked: { by: wanted, problem: resting.problem } };
    const first = hits.slice(0, RERANKED);
    const answer = await this.#scoresOf(wanted, question, first);
    if ("problem" in answer) {
      this.#rest = { name: wanted, untilMs: this.#clock.monotonicMs() + REST_MS, problem: answer.problem };
      return { results: [...hits], reranked: { by: wanted, problem: answer.problem } };
    }
    return {
      results: [...blended(first, answer.scores, wanted), ...hits.slice(RERANKED)],
      reranked: { by: wanted },
    };
  }

  async #scoresOf(
    wanted: string,
    question: string,
    hits: readonly CodeHit[],
  ): Promise<{ scores: number[] } | { problem: string }> {
    const found = await this.#source.open(wanted);
    if (!found.ok) return found;
    const { reranker } = found;
    const texts = hits.map(rerankedText);
    const keys = texts.map((text) => keyOf([reranker.name, reranker.leavesTo ?? "", question, text]));
    const missing = [...keys.keys()].filter((at) => !this.#scores.has(keys[at] ?? ""));
    const scores = new Map(keys.map((key) => [key, this.#scores.get(key)]));
    if (missing.length > 0) {
      const answer = await timedScores(
        reranker,
        question,
        missing.map((at) => texts[at] ?? ""),
      );
      if ("problem" in answer) return answer;
      for (const [place, at] of missing.entries()) scores.set(keys[at] ?? "", answer.scores[place]);
    }
    this.#keep(scores);
    return { scores: keys.map((key) => scores.get(key) ?? 0) };
  }

  /** Those of the last questions. */
  #keep(scores: ReadonlyMap<string, number | undefined>): void {
    for (const [key, score] of scores) {
      this.#scores.delete(key);
      if (score !== undefined) this.#scores.set(key, score);
    }
    for (const key of this.#scores.keys()) {
      if (this.#scores.size <= MAX_KEPT) break;
      this.#scores.delete(key);
    }
  }
}

async function timedScores(reranker: Reranker, question: string, texts: readonly string[]) {
  const signal = AbortSignal.timeout(SCORE_MS);
  const answer = await reranker.score(question, texts, signal);
  if (!("problem" in answer) || !signal.aborted) return answer;
  return { problem: `${reranker.name} did not answer within ${SCORE_MS / 1_000} seconds.` };
}

/** The path and the definition first: models cut what is too long for them. */
function rerankedText({ path, signatures, text }: CodeHit): string {
  return [path, ...signatures, text].join("\n").slice(0, MAX_TEXT);
}

function keyOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Models have scales of their own: within one answer the least score is 0 and the best 1. */
function blended(hits: readonly CodeHit[], scores: readonly number[], by: string): CodeHit[] {
  const least = Math.min(...scores);
  const range = Math.max(...scores) - least || 1;
  const placed = hits.map((hit, before) => {
    const share = ((scores[before] ?? least) - least) / range;
    return { hit, before, score: (1 - SHARE) * hit.score + SHARE * share };
  });
  const sorted = placed.sort((a, b) => b.score - a.score);
  const best = sorted[0]?.score || 1;
  return sorted.map(({ hit, before, score }, at) => {
    const why = at < before ? [...hit.why, `reranked by ${by}`] : hit.why;
    return { ...hit, why, score: score / best };
  });
}
