import type { AgentState, RequestStatus } from "@harness/protocol";
import { elapsed } from "../../figures/elapsed.ts";
import { tokenCount } from "../../figures/token-count.ts";

/** The phase of a request and its duration, with progress where the server reports it. */
export function requestText(status: RequestStatus, waitedMs: number | undefined): string {
  const { phase, ahead, slots, doneTokens, totalTokens } = status;
  const time = waitedMs === undefined || waitedMs < 1000 ? [] : [elapsed(waitedMs)];
  if (phase === "queued") {
    const place = ahead === undefined ? "" : `${ahead} ahead`;
    const room = slots === undefined ? "" : `(${slots} ${slots === 1 ? "slot" : "slots"})`;
    const where = [place, room].filter(Boolean).join(" ");
    return ["Waiting for a slot", ...(where === "" ? [] : [where]), ...time].join(" · ");
  }
  if (phase === "reconnecting") return ["Waiting for the server to come back", ...time].join(" · ");
  if (phase === "loading") return ["Loading the model", ...time].join(" · ");
  const done =
    doneTokens !== undefined && totalTokens !== undefined && totalTokens > 0
      ? `${Math.min(100, Math.floor((100 * doneTokens) / totalTokens))} % of `
      : "";
  const read = totalTokens === undefined ? [] : [`${done}${tokenCount(totalTokens)} tokens`];
  return ["Reading the prompt", ...read, ...time].join(" · ");
}

/** The progress of a compaction, and how long it has taken so far. */
export function compactionText(
  { phase, done, total }: NonNullable<AgentState["compaction"]>,
  waitedMs: number | undefined,
): string {
  const passes = total > 1 ? [`pass ${Math.min(done + 1, total)} of ${total}`] : [];
  const step = phase === "merge" ? ["merging the parts"] : passes;
  const time = waitedMs === undefined || waitedMs < 1000 ? [] : [elapsed(waitedMs)];
  return ["Compacting the conversation", ...step, ...time].join(" · ");
}
