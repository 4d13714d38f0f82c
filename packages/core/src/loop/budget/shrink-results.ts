import type { Shortening, UpdateOf } from "@harness/protocol";
import { cutNote, savedFile } from "../../context/cut-result.ts";
import { type PlannedCut, planForcedShrink, planShrink, savedBy } from "../../context/shrinking/shrink-plan.ts";
import { canBeAskedAgain } from "../../context/shrinking/useless-results.ts";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { SessionLog } from "../../ports/session-log.ts";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";
import { pastResults } from "./past-results.ts";

/** How full the usable window may be, in shares, after a step. */
const TARGET_SHARE = 0.45;
/** A step that brings less is not worth reading the conversation anew. */
const MIN_GAIN_SHARE = 0.1;
/** Looks at files in play may fill this share of it. */
const IN_PLAY_SHARE = 0.3;
/** When nothing else has helped, so many last results stay as they are. */
const FORCED_KEEP = 2;

/** Whose results are shortened, for which window, and the turn that does it. */
export type Shrinking = { scope: Scope; agent: Agent; contextWindow: number; turnId?: string };

/** Everything that could be cut now, as if nothing but files in play had to stay. */
export function shrinkable({ scope, agent, contextWindow }: Shrinking): PlannedCut[] {
  const inPlayChars = usableTokens(contextWindow) * IN_PLAY_SHARE * charsPerToken(agent);
  return planShrink(pastResults(agent, scope.ports.log.header.cwd), {
    neededChars: Number.POSITIVE_INFINITY,
    inPlayChars,
  });
}

/** What a step cuts now; empty: it would bring too little. */
function stepFor({ scope, agent, contextWindow }: Shrinking): PlannedCut[] {
  const usable = usableTokens(contextWindow);
  const perToken = charsPerToken(agent);
  const cuts = planShrink(pastResults(agent, scope.ports.log.header.cwd), {
    neededChars: (agent.usedTokens - usable * TARGET_SHARE) * perToken,
    inPlayChars: usable * IN_PLAY_SHARE * perToken,
  });
  return savedBy(cuts) >= usable * MIN_GAIN_SHARE * perToken ? cuts : [];
}

/** By what the provider counted, where it has. */
function charsPerToken({ requestChars, usedTokens }: Agent): number {
  return requestChars / Math.max(1, usedTokens);
}

/**
 * Shortens old results in later requests, as a fact, where that is worth a new beginning of the prompt. False = nothing
 * was done. Throws `LogWriteError`.
 */
export function shrinkResults(order: Shrinking): boolean {
  return record(order, "threshold", stepFor(order));
}

/** The same where requests do not fit otherwise: all results but the last ones are cut. */
export function forceShrink(order: Shrinking, reason: "threshold" | "overflow"): boolean {
  const { agent, scope } = order;
  return record(order, reason, planForcedShrink(pastResults(agent, scope.ports.log.header.cwd), FORCED_KEEP));
}

function record(
  { scope, agent, turnId }: Shrinking,
  reason: UpdateOf<"context_update">["reason"],
  cuts: readonly PlannedCut[],
): boolean {
  if (cuts.length === 0) return false;
  const { requestChars, usedTokens: tokensBefore } = agent;
  const saved = Math.round((tokensBefore * savedBy(cuts)) / Math.max(1, requestChars));
  const results = cuts.length === 1 ? "One older tool result is" : `${cuts.length} older tool results are`;
  scope.journal.append({
    agentId: agent.agentId,
    ...(turnId === undefined ? {} : { turnId }),
    update: {
      sessionUpdate: "context_update",
      reason,
      title: `${results} shortened in further requests: about ${saved.toLocaleString("en")} tokens less.`,
      shortened: cuts.map((cut) => shorteningOf(cut, scope.ports.log)),
      tokensBefore,
      tokensAfter: tokensBefore - saved,
    },
  });
  agent.resultsShortened(requestChars);
  return true;
}

function shorteningOf({ result, reason, head, tail }: PlannedCut, log: SessionLog): Shortening {
  const { toolCallId, text, pictures } = result;
  const pictureNote =
    pictures > 0 ? [`[${pictures === 1 ? "A picture was" : `${pictures} pictures were`} left out.]`] : [];
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
      return "[Left out: what it showed was changed later. Look again to see how it is now.]";
    default: {
      const left = text.length - head - tail;
      if (canBeAskedAgain(result))
        return `[… ${left} of ${text.length} characters left out by now. Look again to see them.]`;
      return cutNote(left, text.length, savedFile(text) ?? log.saveText(text));
    }
  }
}
