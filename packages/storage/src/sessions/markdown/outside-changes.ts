import { randomBytes } from "node:crypto";
import { type Fact, ROOT_AGENT } from "@harness/protocol";
import type { FileDifference, FiledMessage } from "./compare-files.ts";
import { factsOfMessages } from "./facts-of-messages.ts";
import type { MessageFile } from "./message-folder.ts";
import { emptyTalk } from "./next-messages.ts";
import type { TalkHistory } from "./talk-history.ts";

/** A fact that follows from the files; `file`: the one that has the message already. `before`: the file that one comes after. */
export type OutsideFact = {
  agentId: string;
  at: string;
  update: Fact;
  file?: MessageFile;
  before?: MessageFile;
};

/** The facts that make the conversation what the files say. */
export function outsideFacts(talk: TalkHistory, difference: FileDifference): OutsideFact[] {
  const { from, tail, problems } = difference;
  const first = talk.entries[from];
  const facts = factsOfMessages(
    tail.map((filed) => ({ message: filed.message, from: filed })),
    first === undefined ? talk.state : emptyTalk,
  );
  const at = (filed: FiledMessage) => filed.at;
  const messages = facts.map(({ update, from: filed, isMissingResult }): OutsideFact => {
    const place = isMissingResult ? { before: filed.from } : { file: filed.from };
    return { agentId: ROOT_AGENT, at: at(filed), update, ...place };
  });
  const notices = problems.map((title) => notice("warning", title));
  const title = changedText(difference);
  return [
    ...(first === undefined ? [] : [{ agentId: ROOT_AGENT, at: "", update: rewindTo(first.seq, title) }]),
    ...messages,
    ...(title === undefined || first !== undefined ? [] : [notice("info", title)]),
    ...notices,
  ];
}

function rewindTo(fromSeq: number, title = "The messages were read from their files again."): Fact {
  const rewindId = `files-${randomBytes(6).toString("hex")}`;
  const nothing = { turnIds: [], files: [] };
  return { sessionUpdate: "rewind_update", rewindId, kind: "rewind", ...nothing, title, fromSeq, fromFiles: true };
}

function notice(severity: "info" | "warning", title: string): OutsideFact {
  return { agentId: ROOT_AGENT, at: "", update: { sessionUpdate: "notice", severity, title } };
}

/** In one sentence; undefined: nothing has changed. */
function changedText({ edited, added, removed }: FileDifference): string | undefined {
  const parts = [
    [edited, "edited in"],
    [added, "added as"],
    [removed, "removed from"],
  ] as const;
  const said = parts.flatMap(([count, how]) => (count === 0 ? [] : [[count, how] as const]));
  const [only] = said;
  if (!only) return undefined;
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
