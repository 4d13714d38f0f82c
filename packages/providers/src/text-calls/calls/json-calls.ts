import { closerAfter, readJsonValue } from "../values/json-value.ts";
import { argumentsOf, callOf, headOf } from "./call-object.ts";
import { type BlockStart, type Reading, skipBraces, skipSpace, type WrittenCall } from "./text-call.ts";

type Source = Pick<BlockStart, "text" | "tools">;

/**
 * Reads the JSON inside a wrapper: an object, a list of objects, or several objects separated by nothing, `;` or `,`;
 * also in a fence of its own. `closer` marks the end of an object that is not JSON.
 */
export function readJsonCalls(source: Source, at: number, closer?: string): Reading {
  const { text } = source;
  const first = skipSpace(text, at);
  const begin = skipSpace(text, openFence(text, first));
  const reading = text[begin] === "[" ? readList(source, begin, closer) : readObjects(source, begin, closer);
  if (!reading.calls || first === begin) return reading;
  const after = skipSpace(text, reading.end);
  return text.startsWith("```", after) ? { ...reading, end: after + 3 } : reading;
}

/** The position after an opening fence such as "```json"; unchanged without one. */
function openFence(text: string, at: number): number {
  if (!text.startsWith("```", at)) return at;
  const line = /```[a-z_]{0,12}[ \t]{0,8}\r?(?:\n|(?=[[{]))/y;
  line.lastIndex = at;
  return line.test(text) ? line.lastIndex : at;
}

function readObjects(source: Source, begin: number, closer: string | undefined): Reading {
  const { text } = source;
  const calls: WrittenCall[] = [];
  let end = begin;
  for (let at = begin; text[at] === "{"; ) {
    const one = readObject(source, at, closer);
    end = one.end;
    if (!one.call) return { end };
    calls.push(one.call);
    if (one.isLast) break;
    at = skipSpace(text, end);
    if (text[at] === ";" || text[at] === ",") at = skipSpace(text, at + 1);
  }
  return calls.length > 0 ? { calls, end } : { end };
}

function readList(source: Source, begin: number, closer: string | undefined): Reading {
  const { text } = source;
  const calls: WrittenCall[] = [];
  let at = skipSpace(text, begin + 1);
  while (text[at] === "{") {
    const one = readObject(source, at, closer);
    if (!one.call) return { end: one.end };
    calls.push(one.call);
    at = one.end;
    if (one.isLast) return { calls, end: at };
    at = skipSpace(text, at);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  if (calls.length === 0) return { end: at };
  if (text[at] === "]") return { calls, end: at + 1 };
  // The list was not closed, but its content is complete.
  return at === text.length ? { calls, end: at } : { end: at };
}

type OneObject = { call?: WrittenCall; end: number; isLast?: boolean };

function readObject(source: Source, at: number, closer: string | undefined): OneObject {
  const { text, tools } = source;
  const json = readJsonValue(text, at);
  if (json?.kind === "value") {
    const call = callOf(json.value, tools);
    return { end: json.end, ...(call && { call }) };
  }
  const end = json?.end ?? at;
  const head = headOf(text, at, tools);
  if (!head) return { end };
  const whole = closer === undefined ? undefined : wholeArguments(text, head.from, closer);
  if (whole) return { call: { name: head.name, ...argumentsOf(whole.value) }, end: whole.end, isLast: true };
  const stop = json && closerAfter(text, head.from, json, closer);
  if (stop !== undefined) {
    return { call: { name: head.name, inputText: closeBrackets(text, head.from, stop) }, end: stop, isLast: true };
  }
  if (json?.kind === "broken")
    return { call: { name: head.name, inputText: closeBrackets(text, head.from, end) }, end };
  // Complete arguments in an incomplete call: the reported text must not pass for a complete call.
  const from = readJsonValue(text, head.from)?.kind === "value" ? at : head.from;
  return { call: { name: head.name, inputText: text.slice(from), cut: true }, end, isLast: true };
}

/**
 * The call around the arguments lost its last bracket: they are complete, and only brackets come before the closing
 * mark.
 */
export function wholeArguments(
  text: string,
  from: number,
  closer: string,
): { value: unknown; end: number } | undefined {
  const json = readJsonValue(text, from);
  if (json?.kind !== "value") return undefined;
  const end = skipBraces(text, json.end);
  return text.startsWith(closer, end) ? { value: json.value, end } : undefined;
}

/** The arguments without the bracket that closes the call around them. */
function closeBrackets(text: string, from: number, end: number): string {
  const raw = text.slice(from, end).trimEnd();
  return (raw.endsWith("}") ? raw.slice(0, -1) : raw).trimEnd();
}
