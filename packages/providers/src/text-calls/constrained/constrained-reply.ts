import type { ToolSpec } from "@harness/core";
import { isRecord } from "../../json/lenient-json.ts";
import { callOf } from "../calls/call-object.ts";
import { readJsonCalls } from "../calls/json-calls.ts";
import { OfferedTools } from "../calls/offered-tools.ts";
import { skipSpace, type WrittenCall } from "../calls/text-call.ts";
import { readJsonValue } from "../values/json-value.ts";
import { SayStream } from "./say-stream.ts";

/** `isFenced`: no server has enforced the schema, which allows no fence. */
export type ConstrainedReply = { say: string; calls: WrittenCall[]; isFenced: boolean };

const OPEN_FENCE = /```[a-z]{0,8}[ \t]{0,8}\r?\n/iy;

/**
 * Reads a reply in the form of `callSchema`, even if the server did not enforce it. Undefined if it is something else.
 * A cut reply gives what had arrived.
 */
export function readConstrained(text: string, tools: readonly ToolSpec[]): ConstrainedReply | undefined {
  const offered = new OfferedTools(tools, { isTextAsked: true });
  const first = skipSpace(text, 0);
  OPEN_FENCE.lastIndex = first;
  const isFenced = OPEN_FENCE.test(text);
  const begin = isFenced ? skipSpace(text, OPEN_FENCE.lastIndex) : first;
  const json = readJsonValue(text, begin);
  if (!json) return undefined;
  const isClosed = isFenced && text.startsWith("```", skipSpace(text, json.end));
  const isOver = skipSpace(text, isClosed ? skipSpace(text, json.end) + 3 : json.end) >= text.length;
  if (!isOver) return undefined;
  if (json.kind !== "value") {
    const isCut = json.kind === "cut" || isClosed;
    const reply = isCut ? cutReply(text.slice(begin, json.end), offered) : undefined;
    return reply && { ...reply, isFenced };
  }
  const reply = wholeReply(json.value, offered);
  return reply && { ...reply, isFenced };
}

type ReplyReading = Omit<ConstrainedReply, "isFenced">;

/** Unreadable calls are dropped: the text is shown to people, the JSON is not. */
function wholeReply(value: unknown, tools: OfferedTools): ReplyReading | undefined {
  if (!isRecord(value) || typeof value.say !== "string") return undefined;
  const { say, calls = [] } = value;
  if (!Array.isArray(calls)) return undefined;
  return { say, calls: calls.map((each) => callOf(each, tools)).filter((each) => each !== undefined) };
}

const CALLS = /"\s*,\s*"calls"\s*:\s*/y;

function cutReply(text: string, tools: OfferedTools): ReplyReading | undefined {
  const stream = new SayStream();
  const say = stream.push(text);
  if (stream.isOther) return undefined;
  if (!stream.isOver) return { say, calls: [] };
  CALLS.lastIndex = wordsEnd(text, text.indexOf('"', text.indexOf(":")) + 1);
  if (!CALLS.test(text)) return { say, calls: [] };
  return { say, calls: readJsonCalls({ text, tools }, CALLS.lastIndex).calls ?? [] };
}

function wordsEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
