import { randomBytes } from "node:crypto";
import type { FactPages } from "@harness/core";
import { type Fact, ROOT_AGENT } from "@harness/protocol";
import { type FileDifference, isUpToDate } from "./compare-files.ts";
import { type FactOfMessage, factsOfMessages, standingFact } from "./facts-of-messages.ts";
import type { MessageFile } from "./message-folder.ts";
import { emptyTalk } from "./next-messages.ts";
import { isHarness } from "./saved-message.ts";
import type { TalkEntry, TalkHistory } from "./talk-history.ts";

/** A fact that follows from the files. `file`: has the message already. `before`: the new file of the message comes after it. */
export type OutsideFact = {
  agentId: string;
  at: string;
  update: Fact;
  file?: MessageFile;
  before?: MessageFile;
};

/** The facts that make the conversation what the files say; none where it is so already. */
export function outsideFacts(talk: TalkHistory, difference: FileDifference, stored: FactPages): OutsideFact[] {
  const notices = difference.problems.map(({ text }) => notice(text));
  if (isUpToDate(difference, talk)) return notices;
  const { from, tail, gone } = difference;
  const first = talk.entries[from];
  const start = first === undefined ? talk.state : emptyTalk;
  const facts = factsOfMessages(
    tail.map((filed) => ({ message: filed.message, from: filed })),
    start,
  );
  const left = new Map(gone.map((entry) => [entry.id, entry]));
  let after = talk.entries.slice(0, from).findLast(({ isShown }) => isShown)?.id;
  const messages = facts.map(({ update, message, from: filed, isMissingResult }): OutsideFact => {
    // The result that takes the place of a missing one.
    const of = isMissingResult && message.role === "tool_result" ? left.get(message.callId) : filed.of;
    const isChanged = isMissingResult || filed.isChanged === true;
    const place = isMissingResult ? { before: filed.from } : { file: filed.from };
    const own = of && standingFact(update, factAt(stored, of.factSeq), { isChanged });
    if (of) left.delete(of.id);
    const fromFile = of
      ? { of: of.factSeq, ...(isChanged && { changed: true as const }) }
      : { ...(after && { after }) };
    if (!isHarness(message)) after = of?.id ?? idOf(update);
    return { agentId: ROOT_AGENT, at: filed.at, update: { ...(own ?? update), fromFile }, ...place };
  });
  const title = changedText(countsOf(difference));
  const rewind = rewindTo({ fromSeq: first?.seq, gone: [...left.values()], title });
  return [{ agentId: ROOT_AGENT, at: "", update: rewind }, ...messages, ...notices];
}

function factAt(stored: FactPages, seq: number): Fact | undefined {
  return stored.read({ after: seq - 1, before: seq + 1 }).facts[0]?.update;
}

function idOf(update: FactOfMessage<unknown>["update"]): string {
  return update.sessionUpdate === "tool_call_update" ? update.toolCallId : update.messageId;
}

type FileRewind = { fromSeq: number | undefined; gone: readonly TalkEntry[]; title: string };

function rewindTo({ fromSeq, gone, title }: FileRewind): Fact {
  const rewindId = `files-${randomBytes(6).toString("hex")}`;
  const goneTurns = gone.filter(({ isPrompt }) => isPrompt).length;
  const what = {
    ...(fromSeq === undefined ? {} : { fromSeq }),
    ...(gone.length > 0 ? { gone: gone.map(({ id }) => id) } : {}),
    ...(goneTurns > 0 ? { goneTurns } : {}),
  };
  return {
    sessionUpdate: "rewind_update",
    rewindId,
    kind: "rewind",
    turnIds: [],
    files: [],
    title,
    ...what,
    fromFiles: true,
  };
}

function countsOf({ tail, gone }: FileDifference): ChangeCounts {
  const edited = tail.filter(({ isChanged }) => isChanged).length;
  const added = tail.filter(({ of }) => of === undefined).length;
  return { edited, added, removed: gone.length };
}

function notice(title: string): OutsideFact {
  return { agentId: ROOT_AGENT, at: "", update: { sessionUpdate: "notice", severity: "warning", title } };
}

type ChangeCounts = { edited: number; added: number; removed: number };

/** In one sentence. */
function changedText({ edited, added, removed }: ChangeCounts): string {
  const parts = [
    [edited, "edited in"],
    [added, "added as"],
    [removed, "removed from"],
  ] as const;
  const said = parts.flatMap(([count, how]) => (count === 0 ? [] : [[count, how] as const]));
  const [only] = said;
  if (!only) return "The messages are in a different order: the model gets them as they are now.";
  const all = said.reduce((sum, [count]) => sum + count, 0);
  if (said.length > 1)
    return `${all} messages were changed in their files: the model gets the conversation as it is now.`;
  const [count, how] = only;
  const what = `${count} ${count === 1 ? "message was" : "messages were"} ${how}`;
  if (how === "removed from")
    return `${what} the session's files: the model no longer gets ${count === 1 ? "it" : "them"}.`;
  if (how === "added as")
    return `${what} ${count === 1 ? "a file" : "files"}: the model gets ${count === 1 ? "it" : "them"} with your next message.`;
  return count === 1
    ? `${what} its file: the model gets it as it is now.`
    : `${what} their files: the model gets them as they are now.`;
}
