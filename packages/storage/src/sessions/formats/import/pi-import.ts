import { taggedText } from "@harness/protocol";
import { contentOf, resultText } from "./foreign-content.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { type JsonRow, partList, rowOf, stringOf } from "./json-values.ts";
import { chainedRows } from "./message-chain.ts";

/** pi: a header, then a tree of entries. The first version had no ids: there the order in the file counts. */
export const piImport: ImportFormat = {
  title: "pi",
  places: [".pi/agent/sessions/*/*.jsonl"],
  knows: ([head]) => head?.type === "session" && typeof head.cwd === "string",
  take(file, talk) {
    let line = 0;
    let before = "";
    const { rows, others } = chainedRows(file, (row) => {
      line += 1;
      if (row.type === "session") {
        talk.cwd = stringOf(row.cwd);
        return undefined;
      }
      if (row.type === "session_info") talk.title = stringOf(row.name) || talk.title;
      const hasId = typeof row.id === "string";
      const id = hasId ? stringOf(row.id) : `line ${line}`;
      const parentId = hasId ? stringOf(row.parentId) : before;
      before = id;
      return { id, parentId, isMessage: row.type === "message" };
    });
    talk.leave("message of another branch", others);
    for (const row of rows) takeRow(row, talk);
  },
};

function takeRow(row: JsonRow, talk: ImportDraft): void {
  if (row.type === "compaction" || row.type === "branch_summary") talk.leave("summary");
  if (row.type !== "message") return;
  const message = rowOf(row.message);
  const moment = { at: stringOf(row.timestamp), model: stringOf(message.model) };
  switch (message.role) {
    case "user": {
      const { text, images } = contentOf(message.content, talk);
      talk.person(text, moment, images);
      return;
    }
    case "assistant":
      if (message.stopReason === "error") talk.leave("failed request");
      for (const part of partList(message.content)) {
        if (part.type === "text") talk.agent(stringOf(part.text), moment);
        else if (part.type === "toolCall") talk.call(stringOf(part.id), stringOf(part.name), part.arguments, moment);
        else talk.leave(part.type === "thinking" ? "thought" : "attachment");
      }
      return;
    case "toolResult":
      talk.result(
        stringOf(message.toolCallId),
        { text: resultText(message.content, talk), isError: message.isError === true },
        moment,
      );
      return;
    case "bashExecution":
      if (message.excludeFromContext === true) talk.leave("slash command");
      else takeCommand(message, moment, talk);
      return;
    case "system":
      talk.leave("system message");
      return;
    default:
      talk.leave("message of an unknown kind");
      return;
  }
}

/** Run by the user: its output is not what the user says. */
function takeCommand({ command, output }: JsonRow, moment: { at: string }, talk: ImportDraft): void {
  talk.person(`! ${stringOf(command)}\n${taggedText("output", "", stringOf(output).trimEnd())}`, moment);
}
