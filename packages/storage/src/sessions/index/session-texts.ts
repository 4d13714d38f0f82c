import type { FactKind, SessionHit, StoredFact, ToolCallPart } from "@harness/protocol";
import { saidText } from "@harness/protocol";

/** A searchable text in a fact. */
export type SessionText = { kind: SessionHit["kind"]; text: string };

/** The kinds of facts with searchable texts. */
export const searchedKinds: readonly FactKind[] = ["user_message", "agent_message", "tool_call_update", "turn_changes"];

/** Of an argument. Commands and paths are shorter, and file contents can be found in the files. */
const MAX_ARGUMENT = 2_000;
/** Longer texts are indexed in pieces. */
const MAX_PIECE = 16_000;

/** The texts of a fact, except tool results and harness's additions to messages. */
export function textsOf({ update }: StoredFact): SessionText[] {
  // A repeated message is found at its first occurrence.
  if ("fromFile" in update && update.fromFile?.of !== undefined && !update.fromFile.changed) return [];
  const texts: SessionText[] = [];
  const add = (kind: SessionText["kind"], text: string) => {
    if (text.trim() !== "") texts.push({ kind, text });
  };
  if (update.sessionUpdate === "user_message") {
    if (update.origin !== "user" || update.kind === "working_context" || update.kind === "file_texts") return [];
    add("message", saidText(update.content));
    add("file", (update.files ?? []).map(({ path }) => path).join("\n"));
  } else if (update.sessionUpdate === "agent_message") {
    add("answer", update.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"));
    for (const part of update.parts) if (part.type === "tool_call") add("command", callText(part));
  } else if (update.sessionUpdate === "tool_call_update") {
    if (update.byPerson && !update.outcome) add("command", update.byPerson.command);
  } else if (update.sessionUpdate === "turn_changes") add("file", update.files.map(({ path }) => path).join("\n"));
  return texts;
}

/** Splits a text into pieces that are quick to index. */
export function piecesOf({ kind, text }: SessionText): SessionText[] {
  const pieces: SessionText[] = [];
  for (let from = 0; from < text.length; from += MAX_PIECE)
    pieces.push({ kind, text: text.slice(from, from + MAX_PIECE) });
  return pieces;
}

function callText({ name, input, inputText }: ToolCallPart): string {
  const values = input === undefined ? [inputText ?? ""] : Object.values(input).flatMap(valueTexts);
  return [name, ...values.map((value) => value.slice(0, MAX_ARGUMENT))].join(" ");
}

function valueTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? [JSON.stringify(value)] : [];
}
