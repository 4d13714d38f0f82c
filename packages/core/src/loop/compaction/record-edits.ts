import { tokensAfterEdits } from "../../context/compaction/conversation-edits.ts";
import { messageChars } from "../../context/tokens/estimate-tokens.ts";
import { recordShortening } from "../budget/record-shortening.ts";
import { planKeepingFrom } from "./compaction-plan.ts";
import type { CompactionWork } from "./compaction-work.ts";
import type { AgentEdits } from "./edit-by-agent.ts";
import { recordCompaction } from "./record-compaction.ts";

/**
 * Stores what a compaction agent has edited: results that are sent shortened, then the summary of the oldest messages.
 */
export function recordEdits(
  work: CompactionWork,
  { edits, plan, passes, spent }: AgentEdits,
): { tokensBefore: number; tokensAfter: number } {
  const { scope, agent, choice, order } = work;
  const { turnId } = order.turn ?? {};
  const tokensBefore = agent.usedTokens;
  const tokensAfter = tokensAfterEdits(edits);
  const { shortened, summaries, from, messages } = edits;
  if (shortened.size > 0) {
    const count = shortened.size === 1 ? "One tool result was" : `${shortened.size} tool results were`;
    const contextWindow = choice.contextWindow.tokens;
    recordShortening(
      { scope, agent, contextWindow, ...(turnId === undefined ? {} : { turnId }) },
      {
        reason: "threshold",
        title: (tokens) => `${count} shortened by the compaction agent, which saves about ${tokens} tokens.`,
        shortened: [...shortened.values()],
        savedChars: [...shortened].reduce((sum, [index, { head, tail, note }]) => {
          const message = messages[index];
          return sum + (message ? messageChars(message) - head - tail - note.length : 0);
        }, 0),
      },
    );
  }
  const cost = spent ? { spent } : {};
  if (summaries.length > 0) {
    const kept = planKeepingFrom({ scope, agent }, from, plan);
    const { tokensAfter: after } = recordCompaction(work, kept, { text: summaries.join("\n\n"), passes, ...cost });
    return { tokensBefore, tokensAfter: after };
  }
  if (spent) {
    const title = "The compaction agent shortened tool results; no messages were summarised.";
    const update = { sessionUpdate: "notice", severity: "info", title, ...spent } as const;
    scope.journal.append({ agentId: agent.agentId, ...(turnId === undefined ? {} : { turnId }), update });
  }
  return { tokensBefore, tokensAfter };
}
