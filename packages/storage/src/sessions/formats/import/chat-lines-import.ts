import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { type JsonRow, partList, rowOf, stringOf, textOfParts } from "./json-values.ts";

/** Lines with messages in the form of OpenAI's chat API; TinyHarness has a line about the session before them. */
export const chatLinesImport: ImportFormat = {
  title: "TinyHarness, or lines of chat messages",
  places: [".local/share/tinyharness/sessions/*.jsonl", ".agent-harness/conversations/*.jsonl"],
  knows: (first) =>
    first[0]?.type === "meta" || first.some(({ role, content }) => isRole(role) && content !== undefined),
  take(file, talk) {
    let model = "";
    let call = 0;
    const waiting: string[] = [];
    for (const row of file.rows()) {
      if (row.type === "meta") {
        talk.cwd = stringOf(row.working_dir) || talk.cwd;
        talk.title = stringOf(row.name) || talk.title;
        model = stringOf(row.model) || model;
        continue;
      }
      const moment = { at: stringOf(row.timestamp), model };
      switch (stringOf(row.role).toLowerCase()) {
        case "user":
          talk.leave("pictures", Array.isArray(row.images) ? row.images.length : 0);
          talk.person(textOfParts(row.content), moment);
          break;
        case "assistant":
          talk.agent(textOfParts(row.content), moment);
          for (const each of partList(row.tool_calls)) {
            call += 1;
            waiting.push(takeCall(each, `call ${call}`, moment, talk));
          }
          break;
        case "tool":
          // Without an id, results are in the order of the calls.
          talk.result(stringOf(row.tool_call_id) || (waiting.shift() ?? ""), textOfParts(row.content), moment);
          break;
        case "system":
        case "developer":
          break;
        default:
          talk.leave("unknown entries");
      }
    }
  },
};

function isRole(role: unknown): boolean {
  return /^(?:system|developer|user|assistant|tool)$/i.test(stringOf(role));
}

function takeCall(call: JsonRow, fallback: string, moment: { at: string; model: string }, talk: ImportDraft): string {
  const { name, arguments: input } = rowOf(call.function);
  const id = stringOf(call.id) || fallback;
  talk.call(id, stringOf(name), input, moment);
  return id;
}
