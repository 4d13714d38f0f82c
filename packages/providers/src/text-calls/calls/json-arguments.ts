import { closerAfter, readJsonValue } from "../values/json-value.ts";
import { argumentsOf } from "./call-object.ts";
import { type Reading, skipSpace } from "./text-call.ts";

/**
 * Reads the arguments of a call whose name precedes them. `closer` marks the end of arguments that are not JSON;
 * without any arguments there is no call.
 */
export function readCallArguments(text: string, from: number, name: string, closer?: string): Reading {
  const at = skipSpace(text, from);
  const json = readJsonValue(text, at);
  if (!json) {
    const isEmpty = closer !== undefined && text.startsWith(closer, at);
    return isEmpty ? { calls: [{ name, input: {} }], end: at } : { end: at };
  }
  if (json.kind === "value") return { calls: [{ name, ...argumentsOf(json.value) }], end: json.end };
  const stop = closerAfter(text, at, json, closer);
  if (stop !== undefined) return { calls: [{ name, inputText: text.slice(at, stop).trimEnd() }], end: stop };
  const inputText = text.slice(at, json.end);
  return { calls: [{ name, inputText, ...(json.kind === "cut" && { cut: true as const }) }], end: json.end };
}
