import type { ToolSpec } from "@harness/core";
import { isRecord } from "../loose-json.ts";
import { readJsonCalls } from "./json-calls.ts";
import { readJson } from "./json-value.ts";
import { OfferedTools } from "./offered-tools.ts";
import { SayStream } from "./say-stream.ts";
import { skipSpace, type WrittenCall } from "./text-call.ts";

export type ConstrainedReply = { say: string; calls: WrittenCall[] };

/** Reads a reply that was held to `callSchema`. Undefined: it is something else. A cut one gives what was there. */
export function readConstrained(text: string, tools: readonly ToolSpec[]): ConstrainedReply | undefined {
  const offered = new OfferedTools(tools);
  const begin = skipSpace(text, 0);
  const json = readJson(text, begin);
  if (json?.kind === "cut") return cutReply(text, begin, offered);
  if (json?.kind !== "value" || skipSpace(text, json.end) < text.length || !isRecord(json.value)) return undefined;
  const { say, calls, ...others } = json.value;
  if (typeof say !== "string" || !Array.isArray(calls) || Object.keys(others).length > 0) return undefined;
  if (calls.length === 0) return { say, calls: [] };
  const reading = readJsonCalls({ text: JSON.stringify(calls), tools: offered }, 0);
  return reading.calls?.length === calls.length ? { say, calls: reading.calls } : undefined;
}

const CALLS = /"\s*,\s*"calls"\s*:\s*/y;

function cutReply(text: string, begin: number, tools: OfferedTools): ConstrainedReply | undefined {
  const stream = new SayStream();
  const say = stream.push(text.slice(begin));
  if (stream.isOther) return undefined;
  if (!stream.isOver) return { say, calls: [] };
  CALLS.lastIndex = wordsEnd(text, text.indexOf('"', text.indexOf(":", begin)) + 1);
  if (!CALLS.test(text)) return { say, calls: [] };
  return { say, calls: readJsonCalls({ text, tools }, CALLS.lastIndex).calls ?? [] };
}

function wordsEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
