import type { UpdateOf } from "@harness/protocol";
import { missingPins, withoutSections } from "../../context/compaction/pins.ts";
import { dateNote } from "../../context/conversation/date-note.ts";
import { keptChars } from "../../context/conversation/kept-part.ts";
import { summaryMessage } from "../../context/conversation/summary-text.ts";
import { estimateTokens, messageChars } from "../../context/tokens/estimate-tokens.ts";
import type { RequestCost } from "../turn/side-request.ts";
import type { CompactionPlan } from "./compaction-plan.ts";
import type { CompactionWork } from "./compaction-work.ts";

/** The replacement for the older messages, and how it came about. */
type Replacement = Pick<UpdateOf<"compaction_update">, "passes" | "fallback"> & { text: string; spent?: RequestCost };

/** Stores the replacement for the older messages, with the pins that it lacks. Throws `LogWriteError`. */
export function recordCompaction(
  work: CompactionWork,
  plan: CompactionPlan,
  { text: written, spent, ...how }: Replacement,
): { tokensBefore: number; tokensAfter: number } {
  const { scope, agent, order, compactionId } = work;
  const { projection, agentId } = agent;
  const { reason, focus, turn } = order;
  const { pins, part, maxPinChars } = plan;
  const { from, shortenTo } = part;
  const today = scope.ports.requests.today();
  const summary = withoutSections(written);
  const missing = missingPins(pins, summary, maxPinChars);
  const text = `${summary}${missing.text}${today === "" ? "" : `\n\n${dateNote(today)}`}`;
  const tokensBefore = agent.usedTokens;
  const replaced = agent.requestChars - projection.chars + messageChars(summaryMessage(text));
  const tokensAfter = estimateTokens(replaced + keptChars(projection.messages, part));
  scope.journal.append({
    agentId,
    ...(turn ? { turnId: turn.turnId } : {}),
    update: {
      sessionUpdate: "compaction_update",
      compactionId,
      reason,
      summary: text,
      keepFromSeq: projection.seqAt(from),
      ...(shortenTo > from ? { shortened: shortenTo - from } : {}),
      tokensBefore,
      tokensAfter,
      ...(focus?.trim() ? { focus } : {}),
      ...(missing.kinds.length > 0 ? { pins: missing.kinds } : {}),
      ...(how.passes === undefined ? {} : { passes: how.passes }),
      ...(how.fallback === undefined ? {} : { fallback: how.fallback }),
      ...spent,
    },
  });
  agent.conversationCompacted();
  scope.requests.system.forget();
  return { tokensBefore, tokensAfter };
}
