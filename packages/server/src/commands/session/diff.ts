import { diffText, type FileDiffs, type LiveSession } from "@harness/core";
import type { ServerCommand } from "../server-command.ts";

const LIMIT = 500;

export const diffCommand: ServerCommand = {
  description: "What the agent has changed in files: in this session, or since one of your messages, counted from 1.",
  argumentHint: "[NUMBER]",
  needsSession: true,
  async run({ session, cwd, host }, args) {
    const order = orderOf(session, args);
    if (typeof order === "string") return order;
    const diff = await session.diff({ ...order, offset: 0, limit: LIMIT });
    if ("problem" in diff) return diff.problem;
    return host.sessions.live.need(session.sessionId).hide(answerText(diff, cwd, args));
  },
};

function orderOf({ state }: LiveSession, wanted: string): { since?: string } | string {
  if (wanted === "") return {};
  const { messages } = state.undo;
  const message = /^\d+$/.test(wanted) ? messages[Number(wanted) - 1] : undefined;
  if (message) return { since: message.messageId };
  return `You have sent ${messages.length} messages: type /diff with a number up to that, or /diff alone for all.`;
}

function answerText(diff: FileDiffs, cwd: string, since: string): string {
  const { files, changedFiles, added, removed } = diff;
  const where = since === "" ? "in this session" : `since your message ${since}`;
  if (changedFiles === 0) return `The agent has changed no file in ${cwd} ${where}, or its changes were undone.`;
  const more = changedFiles - files.length;
  return [
    `${changedFiles === 1 ? "1 file" : `${changedFiles} files`} changed by the agent ${where}, +${added} −${removed}`,
    ...files.map((file) => `\n${diffText(file)}`),
    ...(more > 0 ? [`\n… and ${more} more files: session/diff gives them to other programs.`] : []),
  ].join("\n");
}
