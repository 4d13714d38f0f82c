import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { type JsonRow, partList, rowOf, shownValue, stringOf, textOfParts } from "./json-values.ts";

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
    // Where the program has written down what the person typed, that counts, and not what it has sent.
    let hasPrompts = false;
    for (const row of file.rows()) hasPrompts ||= promptOf(row) !== undefined;
    let model = "";
    for (const row of file.rows()) {
      const payload = rowOf(row.payload);
      const moment = { at: stringOf(row.timestamp), model };
      if (row.type === "session_meta") talk.cwd = stringOf(payload.cwd) || talk.cwd;
      else if (row.type === "turn_context") model = stringOf(payload.model) || model;
      else if (row.type === "compacted") talk.leave("summaries");
      else if (row.type === "event_msg") takeEvent(row, moment, talk);
      else if (row.type === "response_item") takeItem(payload, { hasPrompts, moment }, talk);
      else if (ITEMS.includes(stringOf(row.type))) takeItem(row, { hasPrompts, moment }, talk);
    }
  },
};

type Moment = { at: string; model: string };

/** The text of an event that tells what the person has typed. */
function promptOf(row: JsonRow): string | undefined {
  if (row.type !== "event_msg") return undefined;
  const payload = rowOf(row.payload);
  if (payload.type === "user_message") return stringOf(payload.message) || undefined;
  const item = rowOf(payload.item);
  if (payload.type !== "item_completed" || item.type !== "UserMessage") return undefined;
  return textOfParts(item.content) || undefined;
}

function takeEvent(row: JsonRow, moment: Moment, talk: ImportDraft): void {
  const text = promptOf(row);
  if (text !== undefined) talk.person(text, moment);
  const { type, num_turns: turns } = rowOf(row.payload);
  if (type === "thread_rolled_back" && typeof turns === "number" && turns > 0) talk.rollBack(turns);
}

function takeItem(
  item: JsonRow,
  { hasPrompts, moment }: { hasPrompts: boolean; moment: Moment },
  talk: ImportDraft,
): void {
  const id = stringOf(item.call_id);
  switch (item.type) {
    case "message":
      takeMessage(item, { hasPrompts, moment }, talk);
      return;
    case "reasoning":
      talk.leave("encrypted thoughts");
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
      talk.result(id, outputOf(item.output), moment);
      return;
    default:
      talk.leave("unknown entries");
      return;
  }
}

function takeMessage(
  item: JsonRow,
  { hasPrompts, moment }: { hasPrompts: boolean; moment: Moment },
  talk: ImportDraft,
): void {
  const text = textOfParts(item.content);
  if (item.role === "assistant") {
    talk.agent(text, moment);
    return;
  }
  if (item.role !== "user" || INJECTED.test(text.trim())) return;
  if (hasPrompts) return;
  const images = partList(item.content).flatMap(({ image_url: url }) => {
    const [, type = "", data = ""] = /^data:([^;,]+);base64,(.*)$/s.exec(stringOf(url)) ?? [];
    return stringOf(url) === "" ? [] : talk.image(type, data);
  });
  talk.person(text, moment, images);
}

/** A text, JSON with the text in it, or parts. */
function outputOf(output: unknown): string {
  if (Array.isArray(output)) return textOfParts(output);
  if (typeof output !== "string") return shownValue(rowOf(output).content ?? output);
  try {
    const inside = rowOf(JSON.parse(output)).output;
    return typeof inside === "string" ? inside : output;
  } catch {
    return output;
  }
}
