import { randomUUID } from "node:crypto";
import type { PromptAttachments } from "@harness/core";
import { type Content, protocolError } from "@harness/protocol";
import { type CommandAnswer, misused, type SessionContext } from "./server-command.ts";

type Message = { text: string; delivery: "start" | "queue"; more(): PromptAttachments };

/** Starts a turn with a command's message. `attached`: text for the model that people do not see as theirs. */
export function startTurn(context: SessionContext, text: string, attached: string[] = []): Promise<CommandAnswer> {
  const more: Content[] = attached.map((each) => ({ type: "text", text: each }));
  return sendComposed(context, { text, delivery: "start", more: () => ({ attached: more }) });
}

/**
 * Sends the message that a command has made from typed text, after hooks have seen it. `more` is called when it is
 * sent.
 */
export async function sendComposed(
  { session, host, signal }: SessionContext,
  { text, delivery, more }: Message,
): Promise<CommandAnswer> {
  const heard = await host.records.hooks.claude.promptSubmitted(session.sessionId, text, signal);
  if ("refusal" in heard) throw misused(heard.refusal);
  const { attached = [], ...rest } = more();
  const attachments = { ...rest, attached: [...attached, ...heard.context] };
  const answer = session.prompt(randomUUID(), [{ type: "text", text }], delivery, attachments);
  if (!("conflict" in answer)) return answer.turnId === undefined ? "" : { text: "", turnId: answer.turnId };
  if (answer.unsaved) throw protocolError("storage_failed", answer.conflict);
  throw protocolError("conflict", answer.conflict, { currentTurnId: answer.currentTurnId });
}
