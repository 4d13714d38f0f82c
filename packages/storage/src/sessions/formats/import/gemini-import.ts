import { contentOf } from "./foreign-content.ts";
import type { ForeignFile } from "./foreign-file.ts";
import { takeGeminiParts } from "./gemini-parts.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { isRow, type JsonRow, partList, rowOf, shownValue, stringOf } from "./json-values.ts";

/** Gemini CLI: a document with messages, or lines; a later line replaces an earlier one with the same id. */
export const geminiImport: ImportFormat = {
  title: "Gemini CLI",
  places: [".gemini/tmp/*/chats/session-*.json", ".gemini/tmp/*/chats/session-*.jsonl"],
  knows: ([head]) =>
    typeof head?.sessionId === "string" && (typeof head.projectHash === "string" || typeof head.startTime === "string"),
  take(file, talk) {
    for (const message of messagesOf(file, talk)) takeMessage(message, talk);
  },
};

function messagesOf(file: ForeignFile, talk: ImportDraft): JsonRow[] {
  const byId = new Map<string, JsonRow>();
  let count = 0;
  const put = (message: JsonRow) => {
    count += 1;
    byId.set(stringOf(message.id) || `line ${count}`, message);
  };
  for (const row of file.rows()) {
    if (Array.isArray(row.messages)) row.messages.filter(isRow).forEach(put);
    else if (typeof row.type === "string") put(row);
    const { messages } = rowOf(row.$set);
    if (Array.isArray(messages)) {
      byId.clear();
      messages.filter(isRow).forEach(put);
    }
    if (typeof row.$rewindTo === "string") rewind(byId, row.$rewindTo, talk);
  }
  return [...byId.values()];
}

/** That message and all after it are gone. */
function rewind(byId: Map<string, JsonRow>, id: string, talk: ImportDraft): void {
  const at = [...byId.keys()].indexOf(id);
  if (at < 0) return;
  const gone = [...byId.keys()].slice(at);
  for (const later of gone) byId.delete(later);
  talk.leave("rolled back message", gone.length);
}

function takeMessage(message: JsonRow, talk: ImportDraft): void {
  const moment = { at: stringOf(message.timestamp), model: stringOf(message.model) };
  if (message.type === "user") {
    const { text, images } = contentOf(message.content, talk);
    talk.person(text, moment, images);
    return;
  }
  if (message.type !== "gemini") {
    talk.leave("system message");
    return;
  }
  if (Array.isArray(message.thoughts)) talk.leave("thought", message.thoughts.length);
  takeGeminiParts(message.content, moment, talk);
  for (const call of partList(message.toolCalls)) {
    const id = stringOf(call.id);
    talk.call(id, stringOf(call.name), call.args, moment);
    for (const { functionResponse } of partList(call.result)) {
      const { output, error } = rowOf(rowOf(functionResponse).response);
      talk.result(id, shownValue(output ?? error ?? functionResponse), moment);
    }
  }
}
