import type { Shortening, UpdateOf } from "@harness/protocol";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";

/** The messages to shorten, the window they must fit, and the turn that shortens them. */
export type ShorteningOptions = { scope: Scope; agent: Agent; contextWindow: number; turnId?: string };

type Step = {
  reason: UpdateOf<"context_update">["reason"];
  shortened: Shortening[];
  savedChars: number;
  /** For people. `tokens`: the number that requests save. */
  title(tokens: string): string;
};

const causes: Readonly<Record<Step["reason"], string>> = {
  threshold: "older tool results were shortened",
  overflow: "older tool results were shortened",
  too_long: "what was too long was shortened",
  refused: "what the server did not accept was left out",
};

/** Records what requests send shortened from now on. Throws `LogWriteError`. */
export function recordShortening({ scope, agent, turnId }: ShorteningOptions, step: Step): void {
  const { reason, shortened, savedChars, title } = step;
  const { requestChars, usedTokens: tokensBefore } = agent;
  const saved = Math.round((tokensBefore * savedChars) / Math.max(1, requestChars));
  scope.journal.append({
    agentId: agent.agentId,
    ...(turnId === undefined ? {} : { turnId }),
    update: {
      sessionUpdate: "context_update",
      reason,
      title: title(saved.toLocaleString("en")),
      shortened,
      tokensBefore,
      tokensAfter: tokensBefore - saved,
    },
  });
  agent.messagesShortened(requestChars, causes[reason]);
}
