import { contentOf, resultText } from "./foreign-content.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { type JsonRow, partList, rowOf, stringOf } from "./json-values.ts";

/** Lines with messages as in OpenAI's chat API; in TinyHarness, a line about the session precedes them. */
export const chatLinesImport: ImportFormat = {
  title: "TinyHarness",
  places: [
    ".local/share/tinyharness/sessions/*.jsonl",
    ".agent-harness/conversations/*.jsonl",
    ".config/harness/conversations/*.jsonl",
  ],
  knows: (first) =>
    first[0]?.type === "meta" || first.some(({ role, content }) => isRole(role) && content !== undefined),
  take(file, talk) {
    let model = "";
    talk.from = "chat messages";
    const calls = new OpenCalls();
    for (const row of file.rows()) {
      if (row.type === "meta") {
        talk.from = undefined;
        talk.cwd = stringOf(row.working_dir) || talk.cwd;
        talk.title = stringOf(row.name) || talk.title;
        model = stringOf(row.model) || model;
        continue;
      }
      const moment = { at: stringOf(row.timestamp), model };
      switch (stringOf(row.role).toLowerCase()) {
        case "user":
          takePerson(row, moment, talk);
          break;
        case "assistant":
          calls.end();
          takeReply(row, moment, { talk, calls });
          break;
        case "tool":
          talk.result(calls.ownerOf(stringOf(row.tool_call_id)), { text: resultText(row.content, talk) }, moment);
          break;
        case "system":
        case "developer":
          talk.leave("system message");
          break;
        default:
          talk.leave("message of an unknown kind");
      }
    }
  },
};

type Moment = { at: string; model: string };

/** The calls of the last reply whose results are still to come. */
class OpenCalls {
  #count = 0;
  #waiting: string[] = [];

  /** Calls without an id get one. */
  add(id: string): string {
    this.#count += 1;
    const own = id || `call ${this.#count}`;
    this.#waiting.push(own);
    return own;
  }

  /** The call that a result answers. Results without an id come in the order of the calls. */
  ownerOf(id: string): string {
    if (id === "") return this.#waiting.shift() ?? "";
    this.#waiting = this.#waiting.filter((each) => each !== id);
    return id;
  }

  end(): void {
    this.#waiting = [];
  }
}

function isRole(role: unknown): boolean {
  return /^(?:system|developer|user|assistant|tool)$/i.test(stringOf(role));
}

function takePerson(row: JsonRow, moment: Moment, talk: ImportDraft): void {
  const { text, images } = contentOf(row.content, talk);
  talk.leave("picture", Array.isArray(row.images) ? row.images.length : 0);
  talk.person(text, moment, images);
}

function takeReply(row: JsonRow, moment: Moment, { talk, calls }: { talk: ImportDraft; calls: OpenCalls }): void {
  if (stringOf(row.reasoning_content) !== "" || stringOf(row.thinking) !== "") talk.leave("thought");
  talk.agent(contentOf(row.content, talk).text, moment);
  for (const call of partList(row.tool_calls)) {
    const { name, arguments: input } = rowOf(call.function);
    talk.call(calls.add(stringOf(call.id)), stringOf(name), input, moment);
  }
}
