import { readdirSync } from "node:fs";
import { contentOf, resultText } from "./foreign-content.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { isRow, type JsonRow, partList, rowOf, stringOf } from "./json-values.ts";
import { type ChainLink, chainedRows } from "./message-chain.ts";

/**
 * Origins of texts not written by a person. Texts of other origins, or none, are the user's: typed, spoken, sent from a
 * phone.
 */
const OF_THE_PROGRAM =
  /^(?:task-notification|auto-continuation|coordinator|observer-activity|peer|plugin|channel|suggestion)$/;

/** Claude Code: a tree of lines. The branch with the last message counts. */
export const claudeImport: ImportFormat = {
  title: "Claude Code",
  places: [".claude/projects/*/*.jsonl"],
  knows: (first) =>
    first.some(({ uuid, type, message }) => isTyped(uuid, type) && (isRow(message) || type === "system")),
  take(file, talk) {
    const { rows, others } = chainedRows(file, (row) => linkOf(row, talk));
    talk.leave("message of another branch", others);
    for (const row of rows) takeRow(row, talk);
    talk.leave("conversation of a subagent", subagentCount(file.path));
  },
};

/** Newer versions keep them in a folder named after the session. */
function subagentCount(path: string): number {
  try {
    return readdirSync(path.replace(/\.jsonl$/, "/subagents")).filter((name) => name.endsWith(".jsonl")).length;
  } catch {
    return 0;
  }
}

function isTyped(uuid: unknown, type: unknown): boolean {
  return typeof uuid === "string" && typeof type === "string";
}

function linkOf(row: JsonRow, talk: ImportDraft): ChainLink | undefined {
  if (row.type === "custom-title") talk.title = stringOf(row.customTitle) || talk.title;
  if (row.type === "ai-title" || row.type === "summary")
    talk.title ??= stringOf(row.aiTitle) || stringOf(row.summary) || undefined;
  if (row.isSidechain === true) {
    talk.leave("message of a subagent");
    return undefined;
  }
  talk.cwd = stringOf(row.cwd) || talk.cwd;
  const id = stringOf(row.uuid);
  if (id === "") return undefined;
  const message = rowOf(row.message);
  const parts = partList(message.content);
  const idsOf = (type: string, field: string) =>
    parts.filter((part) => part.type === type).map((part) => stringOf(part[field]));
  return {
    id,
    // After a summary of older messages, the chain continues under another name.
    parentId: stringOf(row.parentUuid) || stringOf(row.logicalParentUuid),
    isMessage: row.type === "user" || row.type === "assistant",
    ...(row.type === "assistant" && stringOf(message.id) !== "" ? { replyId: stringOf(message.id) } : {}),
    calls: idsOf("tool_use", "id"),
    results: idsOf("tool_result", "tool_use_id"),
  };
}

function takeRow(row: JsonRow, talk: ImportDraft): void {
  const message = rowOf(row.message);
  const at = stringOf(row.timestamp);
  if (row.type === "assistant") takeReply(message, at, talk);
  else if (row.type === "user") takeUser(row, message, at, talk);
  else if (row.type === "attachment") takeAttachment(rowOf(row.attachment), at, talk);
}

/** A message that the user typed while the agent was working, or text that the program adds. */
function takeAttachment(attachment: JsonRow, at: string, talk: ImportDraft): void {
  if (attachment.type !== "queued_command") {
    talk.leave("system message");
    return;
  }
  const { text, images } = contentOf(attachment.prompt, talk);
  talk.person(text, { at }, images);
}

function takeReply(message: JsonRow, at: string, talk: ImportDraft): void {
  const model = stringOf(message.model);
  // This comes from the program, not from the model.
  if (model === "<synthetic>") {
    talk.leave("failed request");
    return;
  }
  for (const part of partList(message.content)) {
    if (part.type === "text") talk.agent(stringOf(part.text), { at, model });
    else if (part.type === "tool_use") talk.call(stringOf(part.id), stringOf(part.name), part.input, { at, model });
    else talk.leave(part.type === "thinking" || part.type === "redacted_thinking" ? "thought" : "attachment");
  }
}

/** Most lines of a user were not typed by a person; the order of these checks matters. */
function takeUser(row: JsonRow, message: JsonRow, at: string, talk: ImportDraft): void {
  const results = partList(message.content).filter(({ type }) => type === "tool_result");
  for (const { tool_use_id: id, content, is_error: isError } of results)
    talk.result(stringOf(id), { text: resultText(content, talk), isError: isError === true }, { at });
  const { text: all, images } = contentOf(message.content, talk);
  const text = all.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trim();
  if (row.isCompactSummary === true) talk.leave("summary");
  else if (/^<(?:command-name|command-message|local-command-stdout|local-command-caveat|bash-)/.test(text))
    talk.leave("slash command");
  else if (row.isMeta === true) talk.leave("system message");
  else if (OF_THE_PROGRAM.test(stringOf(rowOf(row.origin).kind))) talk.notice(text, { at });
  // The user may add a message to a result.
  else talk.person(text, { at }, images);
}
