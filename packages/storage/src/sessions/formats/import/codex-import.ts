import type { Content } from "@harness/protocol";
import { contentOf, resultText } from "./foreign-content.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { type JsonRow, rowOf, shownValue, stringOf } from "./json-values.ts";

const ITEMS = ["message", "reasoning", "function_call", "function_call_output"];
/** Texts that the program sends as if the person had. */
const INJECTED =
  /^<(?:environment_context|user_instructions|permissions|turn_aborted|skill|collaboration_mode)|^# AGENTS\.md/;

/** Codex: items of its API, between events of the program. */
export const codexImport: ImportFormat = {
  title: "Codex",
  places: [
    ".codex/sessions/**/rollout-*.jsonl",
    ".codex/sessions/**/rollout-*.jsonl.zst",
    ".codex/archived_sessions/*.jsonl",
  ],
  knows: (first) =>
    first.some(
      ({ type, payload }) => (type === "session_meta" || type === "response_item") && typeof payload === "object",
    ) ||
    (typeof first[0]?.instructions !== "undefined" && first.some(({ type }) => ITEMS.includes(stringOf(type)))),
  take(file, talk) {
    const prompts = new Prompts(talk);
    let model = "";
    for (const row of file.rows()) {
      const payload = rowOf(row.payload);
      const moment = { at: stringOf(row.timestamp), model };
      if (row.type === "session_meta") talk.cwd = stringOf(payload.cwd) || talk.cwd;
      else if (row.type === "turn_context") model = stringOf(payload.model) || model;
      else if (row.type === "compacted") talk.leave("summary");
      else if (row.type === "event_msg") takeEvent(payload, { moment, prompts }, talk);
      else if (row.type === "response_item") takeItem(payload, { moment, prompts }, talk);
      else if (ITEMS.includes(stringOf(row.type))) takeItem(row, { moment, prompts }, talk);
    }
    prompts.flush();
  },
};

type Moment = { at: string; model: string };
type Taking = { moment: Moment; prompts: Prompts };
type Prompt = { text: string; images: readonly Content[]; moment: Moment };

/**
 * Messages of the person since the last answer. A message is written down up to three times, in forms that differ by version:
 * as it was typed, when it was taken in, and as it was sent, with much around it. The first of these that there is counts.
 */
class Prompts {
  readonly #talk: ImportDraft;
  readonly #forms: Record<"taken" | "typed" | "sent", Prompt[]> = { taken: [], typed: [], sent: [] };

  constructor(talk: ImportDraft) {
    this.#talk = talk;
  }

  add(form: "taken" | "typed" | "sent", prompt: Prompt): void {
    if (prompt.text.trim() !== "" || prompt.images.length > 0) this.#forms[form].push(prompt);
  }

  /** The agent goes on: the messages before are complete. */
  flush(): void {
    const { taken, typed, sent } = this.#forms;
    const prompts = [taken, typed, sent].find(({ length }) => length > 0) ?? [];
    // Pictures are only in what was sent, in older versions.
    for (const [index, { text, images, moment }] of prompts.entries())
      this.#talk.person(text, moment, images.length > 0 ? images : (sent[index]?.images ?? []));
    for (const list of [taken, typed, sent]) list.length = 0;
  }
}

function takeEvent(payload: JsonRow, { moment, prompts }: Taking, talk: ImportDraft): void {
  const { type, num_turns: turns } = payload;
  const item = rowOf(payload.item);
  if (type === "user_message") prompts.add("typed", { text: stringOf(payload.message), images: [], moment });
  else if (type === "item_completed" && item.type === "UserMessage")
    prompts.add("taken", { ...contentOf(item.content, talk), moment });
  else if (type === "thread_rolled_back" && typeof turns === "number" && turns > 0) {
    prompts.flush();
    talk.rollBack(turns);
  }
}

function takeItem(item: JsonRow, { moment, prompts }: Taking, talk: ImportDraft): void {
  const id = stringOf(item.call_id);
  if (item.type !== "message" || item.role === "assistant") prompts.flush();
  switch (item.type) {
    case "message":
      takeMessage(item, { moment, prompts }, talk);
      return;
    case "reasoning":
      talk.leave("thought");
      return;
    case "function_call":
      talk.call(id, stringOf(item.name), item.arguments, moment);
      return;
    case "custom_tool_call":
      talk.call(id, stringOf(item.name), item.input, moment);
      return;
    case "local_shell_call":
      talk.call(id, "shell", rowOf(item.action).command, moment);
      return;
    case "web_search_call":
      talk.call(id, "web search", item.action, moment);
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      talk.result(id, outputOf(item.output, talk), moment);
      return;
    case "ghost_snapshot":
      return;
    default:
      talk.leave("message of an unknown kind");
      return;
  }
}

function takeMessage(item: JsonRow, { moment, prompts }: Taking, talk: ImportDraft): void {
  const { text, images } = contentOf(item.content, talk);
  if (item.role === "assistant") talk.agent(text, moment);
  else if (item.role !== "user" || INJECTED.test(text.trim())) talk.leave("system message");
  else prompts.add("sent", { text, images, moment });
}

/** A text, JSON with the text in it, or parts. */
function outputOf(output: unknown, talk: ImportDraft): string {
  if (Array.isArray(output)) return resultText(output, talk);
  if (typeof output !== "string") {
    const { content } = rowOf(output);
    return Array.isArray(content) ? resultText(content, talk) : shownValue(content ?? output);
  }
  try {
    const inside = rowOf(JSON.parse(output)).output;
    return typeof inside === "string" ? inside : output;
  } catch {
    return output;
  }
}
