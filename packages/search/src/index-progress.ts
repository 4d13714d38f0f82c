import type { IndexProgress } from "@harness/protocol";
import type { EmbedProgress } from "./embed/embed-missing.ts";
import type { UpdateProgress } from "./indexing/index-update.ts";

type Progress = Omit<IndexProgress, "cwd" | "isPaused">;

/** `seconds`: since the update began. */
export function fileProgress({ filesDone, filesTotal }: UpdateProgress, seconds: number): Progress {
  const rate = seconds > 0 ? filesDone / seconds : 0;
  return { filesDone, filesTotal, ...estimate(filesTotal - filesDone, rate) };
}

/** Files are indexed by then. */
export function vectorProgress({ done, total, perSecond, waiting }: EmbedProgress): Progress {
  const vectors = { done, total, ...(waiting && { problem: waiting.problem.message }) };
  return { filesDone: 0, filesTotal: 0, vectors, ...estimate(total - done, perSecond) };
}

/** `rate`: a second. */
function estimate(left: number, rate: number): Pick<Progress, "rate" | "restMs"> {
  return rate > 0 ? { rate, restMs: Math.round((left / rate) * 1_000) } : {};
}
