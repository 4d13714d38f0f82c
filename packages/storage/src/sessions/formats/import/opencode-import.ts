import { contentOf } from "./foreign-content.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { isRow, type JsonRow, partList, rowOf, shownValue, stringOf } from "./json-values.ts";

/** OpenCode: the output of `opencode export ID`. Its database is not read. */
export const opencodeImport: ImportFormat = {
  title: "OpenCode",
  places: [],
  knows: ([head]) => isRow(head?.info) && Array.isArray(head.messages),
  take(file, talk) {
    for (const { info, messages } of file.rows()) {
      talk.title = stringOf(rowOf(info).title);
      talk.cwd = stringOf(rowOf(info).directory);
      const all = partList(messages);
      const reverted = stringOf(rowOf(rowOf(info).revert).messageID);
      const end = reverted === "" ? -1 : all.findIndex((message) => rowOf(message.info).id === reverted);
      for (const message of end < 0 ? all : all.slice(0, end)) takeMessage(message, talk);
      talk.leave("rolled back message", end < 0 ? 0 : all.length - end);
    }
  },
};

type Moment = { at: string; model: string };

function takeMessage(message: JsonRow, talk: ImportDraft): void {
  const { role, time, modelID, model, summary, error } = rowOf(message.info);
  const { created } = rowOf(time);
  const isTime = typeof created === "number" && Math.abs(created) < 8e15;
  const moment = {
    at: isTime ? new Date(created).toISOString() : "",
    model: stringOf(modelID) || stringOf(rowOf(model).modelID),
  };
  if (isRow(error)) talk.leave("failed request");
  const parts = partList(message.parts);
  if (role === "user") takePerson(parts, moment, talk);
  else if (summary === true) talk.leave("summary");
  else for (const part of parts) takePart(part, moment, talk);
}

/** Texts added by the program are marked; so are files given by the user. */
function takePerson(parts: readonly JsonRow[], moment: Moment, talk: ImportDraft): void {
  const isAdded = ({ synthetic, type }: JsonRow) => synthetic === true && type === "text";
  talk.leave("system message", parts.filter(isAdded).length);
  const said = parts.filter((part) => !isAdded(part) && part.type !== "compaction");
  const { text, images } = contentOf(said, talk);
  talk.person(text, moment, images);
}

function takePart(part: JsonRow, moment: Moment, talk: ImportDraft): void {
  const type = stringOf(part.type);
  if (type === "text") talk.agent(stringOf(part.text), moment);
  else if (type === "tool") takeCall(part, moment, talk);
  else if (type === "reasoning") talk.leave("thought");
  else if (type === "compaction") talk.leave("summary");
  else if (!/^(?:step-|patch$|snapshot$|agent$|retry$)/.test(type)) talk.leave("attachment");
}

function takeCall({ callID, tool, state }: JsonRow, moment: Moment, talk: ImportDraft): void {
  const { status, input, output, error, metadata, attachments } = rowOf(state);
  const id = stringOf(callID);
  talk.call(id, stringOf(tool), input, moment);
  talk.leave("picture of a result", partList(attachments).length);
  if (output === undefined && error === undefined) return;
  const { exit } = rowOf(metadata);
  const isError = status === "error" || (typeof exit === "number" && exit !== 0);
  talk.result(id, { text: shownValue(output ?? error), isError }, moment);
}
