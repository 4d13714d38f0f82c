import { readJsonValue } from "../values/json-value.ts";
import { argumentsOf, bareCallOf, headOf, listedCalls } from "./call-object.ts";
import { wholeArguments } from "./json-calls.ts";
import type { OfferedTools } from "./offered-tools.ts";
import { readPythonLines, readPythonList } from "./python-calls.ts";
import { type BlockStart, type Reading, skipSpace, type WrittenCall } from "./text-call.ts";

type Source = Pick<BlockStart, "text" | "tools">;

/**
 * Reads calls without any mark: objects of exactly a name and arguments, alone, in a list, or one after another (Llama
 * separates them with `;`, others with `,`); or a list of calls in Python syntax. Every name must match a tool's
 * exactly, unless the model was asked to write calls this way. `closer` is the mark of the fence around them.
 */
export function readBareCalls(source: Source, at: number, closer?: string): Reading {
  const { text } = source;
  const begin = skipSpace(text, at);
  if (text[begin] === "{") return readObjects(source, begin, closer);
  if (text[begin] !== "[") return { end: begin };
  if (text[skipSpace(text, begin + 1)] === "{") return readList(source, begin);
  return exactly(readPythonList(source, begin), source);
}

/** Calls in Python syntax without a list around them, as Gemma writes them in its own fence. */
export function readBarePython(source: Source, at: number): Reading {
  return exactly(readPythonLines(source, at), source);
}

function exactly(reading: Reading, { tools }: Source): Reading {
  return reading.calls?.every((call) => isNamed(call.name, tools)) ? reading : { end: reading.end };
}

function isNamed(name: string, tools: OfferedTools): boolean {
  return (tools.isTextAsked ? tools.find(name) : tools.exact(name)) !== undefined;
}

function readObjects({ text, tools }: Source, begin: number, closer: string | undefined): Reading {
  const calls: WrittenCall[] = [];
  let end = begin;
  for (let at = begin; text[at] === "{"; ) {
    const json = readJsonValue(text, at);
    if (json?.kind === "cut") return cutCall({ text, tools }, at, calls);
    end = json?.end ?? at + 1;
    if (json?.kind === "broken" && closer !== undefined && text.startsWith(closer, end)) {
      const last = unclosedCall({ text, tools }, at, { closer, end });
      return last ? { calls: [...calls, last], end } : { end };
    }
    const read = json?.kind === "value" ? callsOf(json.value, tools) : [];
    if (read.length === 0) return { end };
    calls.push(...read);
    at = skipSpace(text, end);
    if (text[at] === ";" || text[at] === ",") at = skipSpace(text, at + 1);
  }
  return { calls, end };
}

function callsOf(value: unknown, tools: OfferedTools): WrittenCall[] {
  const call = bareCallOf(value, tools);
  return call ? [call] : (listedCalls(value, tools) ?? []);
}

/** An object without its last bracket, at the end of its fence. */
function unclosedCall(
  { text, tools }: Source,
  at: number,
  { closer, end }: { closer: string; end: number },
): WrittenCall | undefined {
  const head = headOf(text, at, tools);
  if (!head || !isNamed(head.name, tools) || text[head.from] !== "{") return undefined;
  const whole = wholeArguments(text, head.from, closer);
  if (whole) return { name: head.name, ...argumentsOf(whole.value) };
  return { name: head.name, inputText: text.slice(head.from, end).trimEnd() };
}

function readList({ text, tools }: Source, begin: number): Reading {
  const json = readJsonValue(text, begin);
  if (json?.kind !== "value" || !Array.isArray(json.value)) return { end: json?.end ?? begin };
  const calls = json.value.map((each) => bareCallOf(each, tools)).filter((each) => each !== undefined);
  return calls.length === json.value.length ? { calls, end: json.end } : { end: json.end };
}

/** Half an object is a call if the name came first and the arguments had begun. */
function cutCall({ text, tools }: Source, at: number, calls: WrittenCall[]): Reading {
  const head = headOf(text, at, tools);
  const isCall = head && isNamed(head.name, tools) && text[head.from] === "{";
  if (!isCall) return { end: text.length };
  const from = readJsonValue(text, head.from)?.kind === "value" ? at : head.from;
  const last: WrittenCall = { name: head.name, inputText: text.slice(from), cut: true };
  return { calls: [...calls, last], end: text.length };
}
