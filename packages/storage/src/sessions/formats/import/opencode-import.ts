import { contentOf } from "./foreign-content.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { isRow, type JsonRow, partList, rowOf, shownValue, stringOf } from "./json-values.ts";

/** OpenCode: what `opencode export ID` prints. Its database is left alone. */
export const opencodeImport: ImportFormat = {
  title: "OpenCode",
  places: [],
  knows: ([head]) => isRow(head?.info) && Array.isArray(head.messages),
  take(file, talk) {
    for (const { info, messages } of file.rows()) {
      talk.title = stringOf(rowOf(info).title);
      talk.cwd = stringOf(rowOf(info).directory);
      for (const message of partList(messages)) takeMessage(message, talk);
    }
  },
};

function takeMessage(message: JsonRow, talk: ImportDraft): void {
  const { role, time, modelID, model } = rowOf(message.info);
  const { created } = rowOf(time);
  const isTime = typeof created === "number" && Math.abs(created) < 8e15;
  const moment = {
    at: isTime ? new Date(created).toISOString() : "",
    model: stringOf(modelID) || stringOf(rowOf(model).modelID),
  };
  const parts = partList(message.parts);
  if (role === "user") {
    talk.leave("system message", parts.filter(({ synthetic }) => synthetic === true).length);
    const said = parts.filter(({ synthetic }) => synthetic !== true);
    const { text, images } = contentOf(said, talk);
    talk.person(text, moment, images);
    return;
  }
  for (const part of parts) {
    if (part.type === "text") talk.agent(stringOf(part.text), moment);
    else if (part.type === "tool") {
      const { input, output, error } = rowOf(part.state);
      talk.call(stringOf(part.callID), stringOf(part.tool), input, moment);
      if (output !== undefined || error !== undefined)
        talk.result(stringOf(part.callID), shownValue(output ?? error), moment);
    } else if (part.type === "reasoning") talk.leave("thought");
    else if (!/^(?:step-|patch$|snapshot$|agent$)/.test(stringOf(part.type)))
      talk.leave(part.type === "compaction" ? "summary" : "attachment");
  }
}
