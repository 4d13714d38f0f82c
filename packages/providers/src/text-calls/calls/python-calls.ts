import { PythonReader, PythonSyntaxError } from "../values/python-values.ts";
import { type BlockStart, type Reading, skipSpace, type WrittenCall } from "./text-call.ts";

type Source = Pick<BlockStart, "text" | "tools">;

/** Limit of the search for the end of arguments that are not literals. */
const MAX_LINE = 2_000;

/** Reads `[name(key=value, …), …]`, or calls without the list around them. */
function readPythonCalls(source: Source, at: number): Reading {
  const reader = new PythonReader(source.text, at);
  return readCalls(reader, source, { hasList: reader.takes("[") });
}

/** The same with one or more calls per line. */
export function readPythonLines(source: Source, from: number): Reading {
  const first = readPythonCalls(source, from);
  if (!first.calls) return first;
  const calls = [...first.calls];
  let { end } = first;
  for (;;) {
    const at = skipSpace(source.text, end);
    if (at === end || at >= source.text.length) return { calls, end };
    const next = readPythonCalls(source, at);
    if (!next.calls) return { calls, end };
    calls.push(...next.calls);
    end = next.end;
  }
}

/** The same, but only a list. */
export function readPythonList(source: Source, at: number): Reading {
  const reader = new PythonReader(source.text, at);
  return reader.takes("[") ? readCalls(reader, source, { hasList: true }) : { end: reader.at };
}

function readCalls(reader: PythonReader, source: Source, { hasList }: { hasList: boolean }): Reading {
  const calls: WrittenCall[] = [];
  for (;;) {
    const { call, goesOn } = readCall(reader, source);
    if (!call) return { end: Math.min(reader.at, source.text.length) };
    calls.push(call);
    if (!goesOn) return { calls, end: source.text.length };
    if (hasList && reader.takes("]")) return { calls, end: reader.at };
    const end = reader.at;
    const hasComma = reader.takes(",") || (!hasList && reader.takes(";"));
    // The list was closed after a trailing comma.
    if (hasComma && hasList && reader.takes("]")) return { calls, end: reader.at };
    if (hasComma) continue;
    reader.skipSpace();
    // The list was not closed, but its content is complete.
    return !hasList || reader.isOver ? { calls, end } : { end };
  }
}

type OneCall = { call?: WrittenCall; goesOn: boolean };

function readCall(reader: PythonReader, { text, tools }: Source): OneCall {
  // Llama writes its built-in tools as `brave_search.call(…)`.
  const name = reader.takesName()?.replace(/\.call$/, "");
  if (name === undefined || !tools.takes(name) || !reader.takes("(")) return { goesOn: false };
  const isKnown = tools.find(name) !== undefined;
  const from = reader.at;
  const entries: [string, unknown][] = [];
  try {
    while (!reader.takes(")")) {
      const key = reader.takesName();
      if (key === undefined || !/^\w+$/.test(key)) throw reader.mismatch();
      reader.needs("=");
      entries.push([key, reader.value()]);
      if (reader.takes(",")) continue;
      reader.needs(")");
      break;
    }
    return { call: { name, input: Object.fromEntries(entries) }, goesOn: true };
  } catch (error) {
    if (!(error instanceof PythonSyntaxError)) throw error;
    // Code that the model wants to run rather than a tool call.
    if (!isKnown) return { goesOn: false };
    if (error.isCut) return { call: { name, inputText: cutText(entries, text.slice(from)), cut: true }, goesOn: false };
    return unreadable(reader, text, name, from);
  }
}

/** Positional arguments or expressions: reported to the model if the call ends on its line. */
function unreadable(reader: PythonReader, text: string, name: string, from: number): OneCall {
  const line = text.slice(from, from + MAX_LINE).split("\n", 1)[0] ?? "";
  const close = line.lastIndexOf(")");
  if (close < 0 || from + close < reader.at) return { goesOn: false };
  reader.at = from + close + 1;
  return { call: { name, inputText: line.slice(0, close) }, goesOn: true };
}

/** The beginning of equivalent JSON, so that the call counts as cut off. */
function cutText(entries: [string, unknown][], raw: string): string {
  const members = entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return members.length > 0 ? `{${members.join(", ")}, ` : `{${JSON.stringify(raw).slice(0, -1)}`;
}
