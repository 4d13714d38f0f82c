import { readJsonCalls } from "../calls/json-calls.ts";
import { type BlockStart, type CallForm, type Reading, skipBraces } from "../calls/text-call.ts";

/** Beginnings of a call's JSON, without white space. */
export function jsonStarts(): string[] {
  const keys = [
    "name",
    "tool",
    "function",
    "tool_name",
    "id",
    "type",
    "tool_call_id",
    "arguments",
    "parameters",
    "args",
  ];
  return [...keys.flatMap((key) => [`{"${key}"`, `[{"${key}"`]), "```"];
}

/** A reading with the closing mark, which is often lost: servers take it for a stop word. */
export function afterCloser(text: string, reading: Reading, ...closers: string[]): Reading {
  if (!reading.calls) return reading;
  const at = skipBraces(text, reading.end);
  const closer = closers.find((each) => text.startsWith(each, at));
  return closer === undefined ? reading : { ...reading, end: at + closer.length };
}

type JsonWrapper = { source: string; openers: readonly string[]; closers: readonly string[] };

/** A row for a pair of marks with JSON between them. */
export function jsonBlock(id: string, { source, openers, closers }: JsonWrapper): CallForm {
  const read = (block: BlockStart) => afterCloser(block.text, readJsonCalls(block, block.at, closers[0]), ...closers);
  return { id, source, openers, closers, starts: jsonStarts, read };
}
