import { randomUUID } from "node:crypto";
import { protocolError, shortList } from "@harness/protocol";
import type { ServerCommand } from "../server-command.ts";

const MAX_NAMED = 5;

export const retryCommand: ServerCommand = {
  description: "Take back the last turn, files too, and send its message again; MODEL: with this model.",
  argumentHint: "[MODEL]",
  needsSession: true,
  announcesFirst: true,
  startsTurn: true,
  async run({ session, host }, model) {
    session.takeFiles();
    const last = session.state.undo.messages.at(-1);
    const { log } = host.sessions.live.need(session.sessionId);
    const message = last && log.read({ after: last.seq - 1, before: last.seq + 1 }).facts[0]?.update;
    if (message?.sessionUpdate !== "user_message")
      return "There is nothing to retry: no message of yours is in this conversation.";
    const { text, files: reverted, unsaved } = await session.rewind(message.messageId, "both");
    // It refuses while an agent works.
    if (unsaved || session.state.undo.messages.some(({ messageId }) => messageId === message.messageId)) return text;
    if (model !== "") session.setConfig({ model });
    const { content, attached, files } = message;
    const more = { ...(attached && { attached }), ...(files && { files }) };
    const answer = session.prompt(randomUUID(), content, "start", more);
    if ("conflict" in answer) throw protocolError(answer.unsaved ? "storage_failed" : "conflict", answer.conflict, {});
    const names = shortList(
      reverted.map(({ path }) => path),
      MAX_NAMED,
    );
    const report = reverted.length === 0 ? "" : `Reverted ${names}.`;
    return answer.turnId === undefined ? report : { text: report, turnId: answer.turnId };
  },
};
