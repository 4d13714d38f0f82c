import { type Shortening, textOf } from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";
import { groupStarts } from "../conversation/kept-part.ts";
import { messageChars } from "../tokens/estimate-tokens.ts";
import { keepEnds } from "./cut-text.ts";

/** How a result is shortened: based on what its call did, or by keeping its beginning and end. */
export type ResultStrategy = "use_curator_cache" | "use_modification_metadata" | "generic";

type EditOptions = {
  /** The conversation; the edits do not change it. */
  messages: readonly ModelMessage[];
  /** Messages from this index on are not touched. */
  protectedFrom: number;
  /** A one-line description of each call, by call id. */
  titles: ReadonlyMap<string, string>;
  /** Lines of files that a model picked for the task, as they were shown, by the id of the call that read the whole. */
  extracts: ReadonlyMap<string, string>;
  /** Characters of a request outside the messages. */
  otherChars: number;
  charsPerToken: number;
  targetTokens: number;
};

/** The edits of a conversation so far: shortened results, and summaries in place of the oldest messages. */
export type ConversationEdits = EditOptions & {
  shortened: Map<number, Shortening>;
  /** The first message that no summary replaces. */
  from: number;
  summaries: string[];
};

/** Close enough to the target, in tokens. */
const NEAR_TOKENS = 1_000;
const KEPT_ENDS = 400;
const MIN_RESULT_CHARS = 500;
const PREVIEW_CHARS = 80;
const DETAIL_CHARS = 1_200;
const NO_EXTRACT = " There is no extract of it, so its beginning and end were kept.";

export function newEdits(options: EditOptions): ConversationEdits {
  return { ...options, shortened: new Map(), from: 0, summaries: [] };
}

/** Estimated tokens of the next request with these edits. */
export function tokensAfterEdits(edits: ConversationEdits): number {
  const { messages, from, summaries, otherChars, charsPerToken } = edits;
  const chars = messages.slice(from).reduce((sum, _, at) => sum + charsAt(edits, from + at), 0);
  const written = summaries.reduce((sum, summary) => sum + summary.length, 0);
  return Math.ceil((otherChars + chars + written) / charsPerToken);
}

export function isNearTarget(edits: ConversationEdits): boolean {
  return tokensAfterEdits(edits) <= edits.targetTokens + Math.min(NEAR_TOKENS, edits.targetTokens / 10);
}

/**
 * The size of the conversation and of each message that may be edited; with `details`, their text too, within the
 * limit.
 */
export function metadataText(
  edits: ConversationEdits,
  { details, maxChars }: { details: boolean; maxChars: number },
): string {
  const { messages, from, protectedFrom, charsPerToken } = edits;
  let room = maxChars;
  const lines = messages.slice(from, protectedFrom).map((message, at) => {
    const index = from + at;
    const tokens = Math.ceil(charsAt(edits, index) / charsPerToken);
    const isCut = edits.shortened.has(index) ? " (compressed)" : "";
    const shown = keepEnds(textIn(message, edits), details && room > 0 ? DETAIL_CHARS : PREVIEW_CHARS);
    room -= shown.length;
    return `${index} ${message.role} ${tokens} tokens${isCut}: ${details ? shown : shown.replace(/\s+/gu, " ")}`;
  });
  const head = `${verificationText(edits)} Messages from ${protectedFrom} on are protected. A segment starts at ${from} and may end at ${endsOf(edits).join(", ")}.`;
  return [head, ...lines].join("\n");
}

export function verificationText(edits: ConversationEdits): string {
  const now = tokensAfterEdits(edits);
  const target = Math.floor(edits.targetTokens);
  if (now <= target) return `Target reached: ${now} of ${target} tokens.`;
  if (isNearTarget(edits)) return `Close enough to the target: ${now} of ${target} tokens.`;
  return `Target not reached: ${now} tokens, ${now - target} above the target of ${target}.`;
}

/** Shortens a result and reports what happened to it. */
export function compressResult(
  edits: ConversationEdits,
  index: number,
  strategy: ResultStrategy,
): { text: string; isError?: true } {
  const { messages, protectedFrom, titles, extracts, from } = edits;
  const message = messages[index];
  if (message?.role !== "tool" || index < from || index >= protectedFrom) {
    return { text: `There is no compressible tool result at ${index}.`, isError: true };
  }
  const before = charsAt(edits, index);
  if (message.text.length < MIN_RESULT_CHARS) return { text: "It is already short.", isError: true };
  const { toolCallId } = message;
  const title = titles.get(toolCallId) ?? message.name;
  const extract = strategy === "use_curator_cache" ? extracts.get(toolCallId) : undefined;
  if (extract === message.text) return { text: "It is already an extract.", isError: true };
  const keeps = extract !== undefined || strategy === "use_modification_metadata" ? 0 : KEPT_ENDS;
  const left = message.text.length - 2 * keeps;
  const note =
    extract ??
    (keeps === 0
      ? `[${title}: ${message.isError ? "failed" : "done"}; its output of ${message.text.length} characters was left out.]`
      : `[… ${left} of ${message.text.length} characters left out by a compaction.]`);
  edits.shortened.set(index, { toolCallId, head: keeps, tail: keeps, note, withoutPictures: true });
  const after = charsAt(edits, index);
  if (after >= before) {
    edits.shortened.delete(index);
    return { text: "This would not make it shorter.", isError: true };
  }
  const how = strategy !== "use_curator_cache" ? "" : extract === undefined ? NO_EXTRACT : " Its extract was kept.";
  return { text: `Compressed from ${before} to ${after} characters.${how} ${verificationText(edits)}` };
}

/** Replaces the oldest messages with a summary, in whole exchanges only. */
export function compressSegment(
  edits: ConversationEdits,
  start: number,
  end: number,
  summary: string,
): { text: string; isError?: true } {
  if (start !== edits.from) return { text: `The oldest messages go first: start at ${edits.from}.`, isError: true };
  if (summary.trim() === "") return { text: "The summary is empty: write one for the segment.", isError: true };
  const to = endsOf(edits).findLast((each) => each <= end + 1);
  if (to === undefined)
    return { text: `A segment that starts at ${start} may end at ${endsOf(edits).join(", ")}.`, isError: true };
  edits.summaries.push(summary.trim());
  edits.from = to;
  for (const index of [...edits.shortened.keys()]) if (index < to) edits.shortened.delete(index);
  return { text: `Messages ${start} to ${to - 1} are now one summary. ${verificationText(edits)}` };
}

/** The indexes at which a segment may end: a call is never separated from its results. */
function endsOf({ messages, from, protectedFrom }: ConversationEdits): number[] {
  const starts = groupStarts(messages).filter((start) => start > from && start < protectedFrom);
  return from < protectedFrom ? [...new Set([...starts, protectedFrom])] : [];
}

function charsAt({ messages, shortened }: ConversationEdits, index: number): number {
  const message = messages[index];
  if (!message) return 0;
  const short = shortened.get(index);
  return short ? short.head + short.tail + short.note.length + 2 : messageChars(message);
}

function textIn(message: ModelMessage, { titles }: ConversationEdits): string {
  if (message.role === "user") return textOf(message.content);
  if (message.role === "tool") return `${titles.get(message.toolCallId) ?? message.name}: ${message.text}`;
  return message.parts
    .map((part) => (part.type === "text" ? part.text : part.type === "tool_call" ? `[calls ${part.name}]` : ""))
    .join(" ");
}
