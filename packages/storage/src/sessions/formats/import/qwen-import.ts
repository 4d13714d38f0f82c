import { contentOf } from "./foreign-content.ts";
import { takeGeminiParts, takeGeminiResults } from "./gemini-parts.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { isRow, type JsonRow, partList, rowOf, stringOf } from "./json-values.ts";
import { chainedRows } from "./message-chain.ts";

/** Kinds of messages that look like the user's but are the program's. */
const OF_THE_PROGRAM = ["notification", "cron", "goal_runtime"];

/** Qwen Code: a tree of lines whose messages have the parts of Gemini's API. */
export const qwenImport: ImportFormat = {
  title: "Qwen Code",
  places: [".qwen/projects/*/chats/*.jsonl"],
  knows: (first) =>
    first.some(({ uuid, message }) => typeof uuid === "string" && isRow(message) && Array.isArray(message.parts)),
  take(file, talk) {
    const { rows, others } = chainedRows(file, (row) => {
      const id = stringOf(row.uuid);
      talk.cwd = stringOf(row.cwd) || talk.cwd;
      if (row.subtype === "custom_title") talk.title = stringOf(rowOf(row.systemPayload).customTitle) || talk.title;
      if (id === "") return undefined;
      const parts = partList(rowOf(row.message).parts);
      const isMessage = ["user", "assistant", "tool_result"].includes(stringOf(row.type));
      return { id, parentId: stringOf(row.parentUuid), isMessage, ...callsIn(parts) };
    });
    talk.leave("message of another branch", others);
    for (const row of rows) takeRow(row, talk);
  },
};

function takeRow({ type, subtype, message, timestamp, model }: JsonRow, talk: ImportDraft): void {
  const { parts } = rowOf(message);
  const moment = { at: stringOf(timestamp), model: stringOf(model) };
  if (type === "user") {
    const { text, images } = contentOf(parts, talk);
    if (OF_THE_PROGRAM.includes(stringOf(subtype))) talk.notice(text, moment);
    else talk.person(text, moment, images);
  } else if (type === "assistant") takeGeminiParts(parts, moment, talk);
  else if (type === "tool_result") takeGeminiResults(parts, moment, talk);
  else if (subtype === "chat_compression") talk.leave("summary");
  else if (subtype === "slash_command") talk.leave("slash command");
}

function callsIn(parts: readonly JsonRow[]): { calls: string[]; results: string[] } {
  const idsOf = (field: string) => parts.map((part) => stringOf(rowOf(part[field]).id)).filter((id) => id !== "");
  return { calls: idsOf("functionCall"), results: idsOf("functionResponse") };
}
