import type { QueuedPrompt } from "@harness/protocol";
import type { Scope } from "../loop/turn/scope.ts";
import type { PromptAnswer } from "../ports/live-session.ts";
import { findAgent } from "./find-agent.ts";

/**
 * Puts a user's message into the inbox of a subagent, which reads it before its next request. Throws `LogWriteError`.
 */
export function writeToAgent(scope: Scope, prompt: QueuedPrompt, to: string): PromptAnswer {
  const agent = findAgent(scope, to, undefined);
  if ("problem" in agent) return { conflict: agent.problem };
  const messageId = scope.ports.runtime.ids.next("message");
  const current = agent.turn ? { turnId: agent.turn.turnId } : {};
  const update = { sessionUpdate: "inbox_update", messageId, state: "queued", prompt } as const;
  scope.journal.append({ agentId: agent.agentId, ...current, update });
  agent.inbox.wake();
  return { disposition: "steered", ...current };
}
