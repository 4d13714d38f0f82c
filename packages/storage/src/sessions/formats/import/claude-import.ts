import type { ImportDraft } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { isRow, type JsonRow, partList, rowOf, stringOf, textOfParts } from "./json-values.ts";
import { type ChainLink, chainedRows } from "./message-chain.ts";

/** Claude Code: a tree of lines; the branch of the last message counts. */
export const claudeImport: ImportFormat = {
  title: "Claude Code",
  places: [".claude/projects/*/*.jsonl"],
  knows: (first) =>
    first.some(({ uuid, type, message }) => isTyped(uuid, type) && (isRow(message) || type === "system")),
  take(file, talk) {
    const { rows, others } = chainedRows(file, (row) => linkOf(row, talk));
    talk.leave("messages of other branches", others);
    for (const row of rows) takeRow(row, talk);
  },
};

function isTyped(uuid: unknown, type: unknown): boolean {
  return typeof uuid === "string" && typeof type === "string";
}

function linkOf(row: JsonRow, talk: ImportDraft): ChainLink | undefined {
  if (row.type === "custom-title") talk.title = stringOf(row.customTitle) || talk.title;
  if (row.type === "ai-title" || row.type === "summary")
    talk.title ??= stringOf(row.aiTitle) || stringOf(row.summary) || undefined;
  if (row.isSidechain === true) {
    talk.leave("messages of subagents");
    return undefined;
  }
  talk.cwd = stringOf(row.cwd) || talk.cwd;
  const id = stringOf(row.uuid);
  if (id === "") return undefined;
  // Where older messages were summarised, the chain goes on under another name.
  const parentId = stringOf(row.parentUuid) || stringOf(row.logicalParentUuid);
  return { id, parentId, isMessage: row.type === "user" || row.type === "assistant" };
}

function takeRow(row: JsonRow, talk: ImportDraft): void {
  const message = rowOf(row.message);
  const at = stringOf(row.timestamp);
  if (row.type === "assistant") takeReply(message, at, talk);
  else if (row.type === "user") takeUser(row, message, at, talk);
}

function takeReply(message: JsonRow, at: string, talk: ImportDraft): void {
  const model = stringOf(message.model);
  // The program says this, not the model.
  if (model === "<synthetic>") return;
  for (const part of partList(message.content)) {
    if (part.type === "text") talk.agent(stringOf(part.text), { at, model });
    else if (part.type === "tool_use") talk.call(stringOf(part.id), stringOf(part.name), part.input, { at, model });
    else talk.leave(part.type === "thinking" || part.type === "redacted_thinking" ? "thoughts" : "unknown parts");
  }
}

/** Most lines of a user are not what the person has typed; the order of these questions matters. */
function takeUser(row: JsonRow, message: JsonRow, at: string, talk: ImportDraft): void {
  const parts = partList(message.content);
  const results = parts.filter(({ type }) => type === "tool_result");
  for (const result of results) {
    talk.result(stringOf(result.tool_use_id), textOfParts(result.content), { at });
    talk.leave("pictures of results", partList(result.content).filter(({ type }) => type === "image").length);
  }
  if (results.length > 0 || row.toolUseResult !== undefined) return;
  if (row.isCompactSummary === true) {
    talk.leave("summaries");
    return;
  }
  const text = textOfParts(message.content)
    .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "")
    .trim();
  if (/^<(?:command-name|command-message|local-command-stdout|local-command-caveat|bash-)/.test(text)) {
    talk.leave("slash commands");
    return;
  }
  if (row.isMeta === true) {
    talk.leave("messages of the program");
    return;
  }
  const images = parts
    .filter(({ type }) => type === "image")
    .flatMap(({ source }) => talk.image(stringOf(rowOf(source).media_type), stringOf(rowOf(source).data)));
  talk.person(text, { at }, images);
}
