import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { contentOf, resultText } from "./foreign-content.ts";
import { type ForeignFile, readForeignFile } from "./foreign-file.ts";
import type { ImportDraft, ImportedResult } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { isRow, type JsonRow, partList, rowOf, shownValue, stringOf } from "./json-values.ts";

const ITEMS = ["message", "reasoning", "function_call", "function_call_output"];
/** Texts that the program sends in the user's name. */
const INJECTED =
  /^<(?:environment_context|user_instructions|permissions|turn_aborted|skill|collaboration_mode)|^# AGENTS\.md/;

/** Codex: items of its API, mixed with events of the program. */
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
    for (const row of rowsOf(file, talk)) {
      const payload = rowOf(row.payload);
      const moment = { at: stringOf(row.timestamp), model };
      if (row.type === "session_meta") talk.cwd = stringOf(payload.cwd) || talk.cwd;
      else if (row.type === "turn_context") model = stringOf(payload.model) || model;
      else if (row.type === "compacted") talk.leave("summary");
      else if (row.type === "event_msg") takeEvent(payload, { moment, prompts }, talk);
      else if (rowOf(row.metadata).compaction_output === true) continue;
      else if (row.type === "response_item") takeItem(payload, { moment, prompts }, talk);
      else if (ITEMS.includes(stringOf(row.type))) takeItem(row, { moment, prompts }, talk);
    }
    prompts.flush();
  },
};

const THREAD = /^[0-9a-f-]{36}$/;
/** A fork of a fork of a fork. */
const MAX_FORKS = 20;

/** The rows of a session. A fork begins with those of the session it was made of, whose file it names. */
function* rowsOf(file: ForeignFile, talk: ImportDraft, depth = 0): Generator<JsonRow, void> {
  for (const row of file.rows()) {
    const { history_base: base } = rowOf(row.payload);
    if (row.type === "session_meta" && isRow(base) && !file.isPart) {
      const parent = depth < MAX_FORKS ? rolloutOf(stringOf(base.thread_id), file.path) : undefined;
      const end = Number(base.end_ordinal_exclusive);
      if (!parent) talk.leave("history of another session");
      else for (const shared of rowsOf(parent, talk, depth + 1)) if (!(Number(shared.ordinal) >= end)) yield shared;
    }
    yield row;
  }
}

/** The session with this id: in any of the program's folders, or beside a file that was taken out of them. */
function rolloutOf(thread: string, path: string): ForeignFile | undefined {
  if (!THREAD.test(thread) || path.includes(thread)) return undefined;
  const [, home] = /^(.*)\/(?:archived_)?sessions\//.exec(path) ?? [];
  const folders = home === undefined ? [dirname(path)] : [join(home, "sessions"), join(home, "archived_sessions")];
  for (const folder of folders) {
    const name = filesBelow(folder).find(
      (each) => each.endsWith(`-${thread}.jsonl`) || each.endsWith(`-${thread}.jsonl.zst`),
    );
    const file = name === undefined ? undefined : readForeignFile(join(folder, name));
    if (file && !("problem" in file)) return file;
  }
  return undefined;
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

type Moment = { at: string; model: string };
type Taking = { moment: Moment; prompts: Prompts };
type Prompt = { content: unknown; moment: Moment };

/**
 * The user's messages since the last answer. A message is recorded up to three times, in forms that depend on the
 * version: as typed, as accepted, and as sent, with much around it. The first form found counts.
 */
class Prompts {
  readonly #talk: ImportDraft;
  readonly #forms: Record<"taken" | "typed" | "sent", Prompt[]> = { taken: [], typed: [], sent: [] };

  constructor(talk: ImportDraft) {
    this.#talk = talk;
  }

  add(form: "taken" | "typed" | "sent", prompt: Prompt): void {
    this.#forms[form].push(prompt);
  }

  /** The agent continues, so the messages before are complete. */
  flush(): void {
    const { taken, typed, sent } = this.#forms;
    const prompts = [taken, typed, sent].find(({ length }) => length > 0) ?? [];
    for (const [index, { content, moment }] of prompts.entries()) {
      // Only the sent form has pictures; the others have their paths.
      const asSent = contentOf(sent[index]?.content ?? content, this.#talk);
      this.#talk.person(sent[index] ? typedText(content) : asSent.text, moment, asSent.images);
    }
    for (const list of [taken, typed, sent]) list.length = 0;
  }
}

function typedText(content: unknown): string {
  return partList(content)
    .map(({ text }) => stringOf(text))
    .filter((text) => text !== "")
    .join("\n");
}

function takeEvent(payload: JsonRow, { moment, prompts }: Taking, talk: ImportDraft): void {
  const { type, num_turns: turns } = payload;
  const item = rowOf(payload.item);
  if (type === "user_message") prompts.add("typed", { content: payload.message, moment });
  else if (type === "item_completed" && item.type === "UserMessage")
    prompts.add("taken", { content: item.content, moment });
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
  if (item.role === "assistant") talk.agent(contentOf(item.content, talk).text, moment);
  else if (item.role !== "user" || INJECTED.test(typedText(item.content).trim())) talk.leave("system message");
  else prompts.add("sent", { content: item.content, moment });
}

/** Plain text, JSON that contains the text, or parts. */
function outputOf(output: unknown, talk: ImportDraft): ImportedResult {
  if (Array.isArray(output)) return { text: resultText(output, talk) };
  if (typeof output !== "string") {
    const { content, success } = rowOf(output);
    const text = Array.isArray(content) ? resultText(content, talk) : shownValue(content ?? output);
    return { text, isError: success === false };
  }
  const isError = /^Process exited with code (?!0$)/m.test(output.split("\nOutput:", 1)[0] ?? "");
  try {
    const { output: inside, metadata } = rowOf(JSON.parse(output));
    if (typeof inside !== "string") return { text: output, isError };
    const { exit_code: code } = rowOf(metadata);
    return { text: inside, isError: typeof code === "number" && code !== 0 };
  } catch {
    return { text: output, isError };
  }
}
