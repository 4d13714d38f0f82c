import type { Shortening } from "@harness/protocol";
import { cutNote, savedFile } from "../../context/cut-result.ts";
import { type PlannedCut, planForcedShrink, planShrink, savedBy } from "../../context/shrinking/shrink-plan.ts";
import { canBeAskedAgain } from "../../context/shrinking/useless-results.ts";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { SessionLog } from "../../ports/session-log.ts";
import type { Agent } from "../turn/agent.ts";
import { pastResults } from "./past-results.ts";
import { recordShortening, type ShorteningOptions } from "./record-shortening.ts";

/** How full the usable window may be after a step, as a share. */
const TARGET_SHARE = 0.4;
/**
 * A step that gains less is not worth reading the conversation again; a small window requires less, because there a
 * summary, which the step may save, is large (docs/benchmarks.md has figures).
 */
const GAIN_SHARE = 0.3;
const LEAST_GAIN_SHARE = 0.1;
const USUAL_SUMMARY_TOKENS = 1_200;
/** Reads of files in play may fill this share of the window. */
const IN_PLAY_SHARE = 0.3;
/** If nothing else has helped, this many last results stay as they are. */
const FORCED_KEEP = 2;

/** Everything that could be cut now, if only files in play had to stay. */
export function shrinkable({ scope, agent, contextWindow }: ShorteningOptions): PlannedCut[] {
  const inPlayChars = usableTokens(contextWindow) * IN_PLAY_SHARE * charsPerToken(agent);
  return planShrink(pastResults(agent, scope.ports.log.header.cwd), {
    neededChars: Number.POSITIVE_INFINITY,
    inPlayChars,
  });
}

/** The cuts of the next step; empty if the gain would be too small. */
function stepFor({ scope, agent, contextWindow }: ShorteningOptions): PlannedCut[] {
  const usable = usableTokens(contextWindow);
  const perToken = charsPerToken(agent);
  const leastGain = Math.max(usable * LEAST_GAIN_SHARE, usable * GAIN_SHARE - USUAL_SUMMARY_TOKENS);
  const cuts = planShrink(pastResults(agent, scope.ports.log.header.cwd), {
    neededChars: (agent.usedTokens - usable * TARGET_SHARE) * perToken,
    inPlayChars: usable * IN_PLAY_SHARE * perToken,
  });
  return savedBy(cuts) >= leastGain * perToken ? cuts : [];
}

/** Based on the provider's count, if there is one. */
function charsPerToken({ requestChars, usedTokens }: Agent): number {
  return requestChars / Math.max(1, usedTokens);
}

/**
 * Shortens old results in later requests, as a fact, if that is worth a new prompt prefix. Returns false if nothing was
 * done. Throws `LogWriteError`.
 */
export function shrinkResults(order: ShorteningOptions): boolean {
  return record(order, "threshold", stepFor(order));
}

/** For requests that do not fit otherwise: cuts all results but the last ones. */
export function forceShrink(order: ShorteningOptions, reason: "threshold" | "overflow"): boolean {
  const { agent, scope } = order;
  return record(order, reason, planForcedShrink(pastResults(agent, scope.ports.log.header.cwd), FORCED_KEEP));
}

function record(order: ShorteningOptions, reason: "threshold" | "overflow", cuts: readonly PlannedCut[]): boolean {
  if (cuts.length === 0) return false;
  const results = cuts.length === 1 ? "One older tool result is" : `${cuts.length} older tool results are`;
  recordShortening(order, {
    reason,
    title: (tokens) => `${results} shortened in later requests, which saves about ${tokens} tokens.`,
    shortened: cuts.map((cut) => shorteningOf(cut, order.scope.ports.log)),
    savedChars: savedBy(cuts),
  });
  return true;
}

function shorteningOf({ result, reason, head, tail }: PlannedCut, log: SessionLog): Shortening {
  const { toolCallId, text, pictures } = result;
  const pictureNote =
    pictures > 0 ? [`[${pictures === 1 ? "An image was" : `${pictures} images were`} left out.]`] : [];
  const cut = head + tail < text.length;
  const note = [...(cut ? [noteFor({ result, reason, head, tail }, log)] : []), ...pictureNote].join("\n");
  return { toolCallId, head, tail, note, ...(pictures > 0 ? { withoutPictures: true as const } : {}) };
}

function noteFor({ result, reason, head, tail }: Omit<PlannedCut, "savedChars">, log: SessionLog): string {
  const { text } = result;
  switch (reason) {
    case "again":
      return "[Left out: the same call was made again later, and its newer result is below.]";
    case "contained":
      return "[Left out: a later result shows all of it.]";
    case "changed":
      return "[Left out: what it showed has changed since. Look again to see the current state.]";
    default: {
      const left = text.length - head - tail;
      if (canBeAskedAgain(result)) return `[… ${left} of ${text.length} characters left out. Look again to see them.]`;
      return cutNote(text, left, savedFile(text) ?? log.saveText(text));
    }
  }
}
