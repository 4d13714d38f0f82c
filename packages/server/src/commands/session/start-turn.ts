import { randomUUID } from "node:crypto";
import type { LiveSession } from "@harness/core";
import { type Content, protocolError } from "@harness/protocol";

/** Starts a turn with a message of a command. `attached`: what the model gets with it, and people do not see as theirs. */
export function startTurn(
  session: LiveSession,
  text: string,
  attached: string[] = [],
): string | { text: string; turnId: string } {
  const more: Content[] = attached.map((each) => ({ type: "text", text: each }));
  const answer = session.prompt(randomUUID(), [{ type: "text", text }], "start", { attached: more });
  if (!("conflict" in answer)) return answer.turnId === undefined ? "" : { text: "", turnId: answer.turnId };
  if (answer.unsaved) throw protocolError("storage_failed", answer.conflict);
  throw protocolError("conflict", answer.conflict, { currentTurnId: answer.currentTurnId });
}
