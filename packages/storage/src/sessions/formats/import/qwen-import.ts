import { takeGeminiParts } from "./gemini-parts.ts";
import type { ImportFormat } from "./import-format.ts";
import { isRow, rowOf, stringOf, textOfParts } from "./json-values.ts";
import { chainedRows } from "./message-chain.ts";

/** Qwen Code: a tree of lines with messages in the parts of Gemini's API. */
export const qwenImport: ImportFormat = {
  title: "Qwen Code",
  places: [".qwen/projects/*/chats/*.jsonl"],
  knows: (first) =>
    first.some(({ uuid, message }) => typeof uuid === "string" && isRow(message) && Array.isArray(message.parts)),
  take(file, talk) {
    const { rows, others } = chainedRows(file, (row) => {
      const id = stringOf(row.uuid);
      talk.cwd = stringOf(row.cwd) || talk.cwd;
      if (id === "") return undefined;
      const isMessage = ["user", "assistant", "tool_result"].includes(stringOf(row.type));
      return { id, parentId: stringOf(row.parentUuid), isMessage };
    });
    talk.leave("messages of other branches", others);
    for (const { type, message, timestamp, model } of rows) {
      const { parts } = rowOf(message);
      const moment = { at: stringOf(timestamp), model: stringOf(model) };
      if (type === "user") talk.person(textOfParts(parts), moment);
      else if (type === "assistant" || type === "tool_result") takeGeminiParts(parts, moment, talk);
    }
  },
};
