import { dirname, join } from "node:path";
import { readRegularFile } from "@harness/host";
import { contentOf } from "./foreign-content.ts";
import { GeminiMessages } from "./gemini-messages.ts";
import { hasResults, takeGeminiParts, takeGeminiResults } from "./gemini-parts.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { type JsonRow, partList, rowOf, stringOf } from "./json-values.ts";

/** A message about the folder that the program adds before the user's first message. */
const INJECTED = /^<session_context>/;
const MAX_PATH_BYTES = 4_096;

/** Gemini CLI: a document with messages, or lines; a later line replaces an earlier one with the same id. */
export const geminiImport: ImportFormat = {
  title: "Gemini CLI",
  places: [".gemini/tmp/*/chats/session-*.json", ".gemini/tmp/*/chats/session-*.jsonl"],
  knows: ([head]) =>
    typeof head?.sessionId === "string" && (typeof head.projectHash === "string" || typeof head.startTime === "string"),
  take(file, talk) {
    talk.cwd = projectOf(file.path);
    const results = new Set<string>();
    for (const message of new GeminiMessages(file, talk).inOrder()) takeMessage(message, results, talk);
  },
};

/** The project's folder is named beside the sessions' folder. */
function projectOf(path: string): string | undefined {
  try {
    const root = join(dirname(dirname(path)), ".project_root");
    return readRegularFile(root, { maxBytes: MAX_PATH_BYTES, followLinks: false }).toString("utf8").trim();
  } catch {
    return undefined;
  }
}

function takeMessage(message: JsonRow, results: Set<string>, talk: ImportDraft): void {
  const moment = { at: stringOf(message.timestamp), model: stringOf(message.model) };
  if (message.type === "user") {
    if (hasResults(message.content)) takeResults(message.content, { moment, results }, talk);
    else takePerson(message, moment, talk);
    return;
  }
  if (message.type !== "gemini") {
    talk.leave("system message");
    return;
  }
  if (Array.isArray(message.thoughts)) talk.leave("thought", message.thoughts.length);
  takeGeminiParts(message.content, moment, talk);
  for (const call of partList(message.toolCalls)) {
    talk.call(stringOf(call.id), stringOf(call.name), call.args, moment);
    takeResults(call.result, { moment, results }, talk);
  }
}

/** They are recorded more than once: with their calls, and as sent. */
function takeResults(
  parts: unknown,
  { moment, results }: { moment: { at: string; model: string }; results: Set<string> },
  talk: ImportDraft,
): void {
  const ids = partList(parts)
    .map(({ functionResponse }) => stringOf(rowOf(functionResponse).id))
    .filter((id) => id !== "");
  if (ids.length > 0 && ids.every((id) => results.has(id))) return;
  for (const id of ids) results.add(id);
  takeGeminiResults(parts, moment, talk);
}

function takePerson(message: JsonRow, moment: { at: string; model: string }, talk: ImportDraft): void {
  const { text, images } = contentOf(message.content, talk);
  if (INJECTED.test(text.trim())) {
    talk.leave("system message");
    return;
  }
  // As typed: the sent form includes the contents of the files that it names.
  const typed = partList(message.displayContent)
    .map((part) => stringOf(part.text))
    .join("\n");
  talk.person(typed || text, moment, images);
}
