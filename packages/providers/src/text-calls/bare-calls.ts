import { bareCallOf, headOf } from "./call-object.ts";
import { readJson } from "./json-value.ts";
import { readPythonCalls } from "./python-calls.ts";
import { type BlockStart, type Reading, skipSpace, type WrittenCall } from "./text-call.ts";

type Place = Pick<BlockStart, "text" | "tools">;

/**
 * Reads calls that no mark announces: objects of exactly a name and arguments, alone, in a list, or one after another
 * (Llama puts `;` between them); or a list of calls as in Python. Every name must be a tool's to the letter.
 */
export function readBareCalls(place: Place, at: number): Reading {
  const { text } = place;
  const begin = skipSpace(text, at);
  if (text[begin] === "{") return readObjects(place, begin);
  if (text[begin] !== "[") return { end: begin };
  if (text[skipSpace(text, begin + 1)] === "{") return readList(place, begin);
  return exactly(readPythonCalls(place, begin, true), place);
}

/** As in Python without the list around it, which Gemma writes into its own fence. */
export function readBarePython(place: Place, at: number): Reading {
  return exactly(readPythonCalls(place, at, false), place);
}

function exactly(reading: Reading, { tools }: Place): Reading {
  return reading.calls?.every((call) => tools.exact(call.name)) ? reading : { end: reading.end };
}

function readObjects({ text, tools }: Place, begin: number): Reading {
  const calls: WrittenCall[] = [];
  let end = begin;
  for (let at = begin; text[at] === "{"; ) {
    const json = readJson(text, at);
    if (json?.kind === "cut") return cutCall({ text, tools }, at, calls);
    const call = json?.kind === "value" ? bareCallOf(json.value, tools) : undefined;
    end = json?.end ?? at + 1;
    if (!call) return { end };
    calls.push(call);
    at = skipSpace(text, end);
    if (text[at] === ";") at = skipSpace(text, at + 1);
  }
  return { calls, end };
}

function readList({ text, tools }: Place, begin: number): Reading {
  const json = readJson(text, begin);
  if (json?.kind !== "value" || !Array.isArray(json.value)) return { end: json?.end ?? begin };
  const calls = json.value.map((each) => bareCallOf(each, tools)).filter((each) => each !== undefined);
  return calls.length === json.value.length ? { calls, end: json.end } : { end: json.end };
}

/** Half an object is a call when the name came first and the arguments had begun. */
function cutCall({ text, tools }: Place, at: number, calls: WrittenCall[]): Reading {
  const head = headOf(text, at, tools);
  const isCall = head && tools.exact(head.name) && text[head.from] === "{";
  if (!isCall) return { end: text.length };
  const from = readJson(text, head.from)?.kind === "value" ? at : head.from;
  const last: WrittenCall = { name: head.name, inputText: text.slice(from), cut: true };
  return { calls: [...calls, last], end: text.length };
}
