import { repairJson } from "@harness/core";
import { isRecord, tryParseJson } from "../../json/lenient-json.ts";
import type { OfferedTools } from "./offered-tools.ts";
import type { WrittenCall } from "./text-call.ts";

const NAME_KEYS = ["name", "tool", "function", "tool_name"] as const;
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input"] as const;
/** Keys without a meaning that may accompany name and arguments. */
const IDLE_KEYS = new Set(["id", "type", "index", "tool_call_id", "call_id"]);

/** The call represented by an object inside a wrapper. */
export function callOf(value: unknown, tools: OfferedTools): WrittenCall | undefined {
  if (!isRecord(value)) return undefined;
  if (isRecord(value.function)) return callOf(value.function, tools);
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === "string");
  const name = nameKey === undefined ? undefined : value[nameKey];
  if (typeof name !== "string" || !tools.takes(name)) return undefined;
  const argumentKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(value, key));
  if (argumentKey !== undefined) return { name, ...argumentsOf(value[argumentKey]) };
  const others = Object.keys(value).filter((key) => key !== nameKey && !IDLE_KEYS.has(key));
  return others.length === 0 ? { name, input: {} } : undefined;
}

/**
 * The call represented by an object without a wrapper: exactly a name of an offered tool and arguments, besides which
 * only OpenAI's `"type": "function"` is allowed. If text was asked for, small mistakes in the requested form are
 * accepted.
 */
export function bareCallOf(value: unknown, tools: OfferedTools): WrittenCall | undefined {
  if (!isRecord(value)) return undefined;
  if (tools.isTextAsked) return askedCallOf(value, tools);
  const keys = Object.keys(value).filter((key) => !(key === "type" && value.type === "function"));
  if (keys.length === 1 && keys[0] === "function" && isRecord(value.function)) return bareCallOf(value.function, tools);
  if (keys.length !== 2) return undefined;
  const nameKey = keys.find((key) => key === "name" || key === "tool" || key === "function");
  const argumentKey = ARGUMENT_KEYS.find((key) => keys.includes(key));
  if (nameKey === undefined || argumentKey === undefined) return undefined;
  const name = value[nameKey];
  if (typeof name !== "string" || !tools.exact(name)) return undefined;
  const written = argumentsOf(value[argumentKey]);
  return written.input && { name, ...written };
}

/**
 * In exactly the requested form, a name that is not offered counts as a mistake in a call rather than as other data.
 */
function askedCallOf(value: Record<string, unknown>, tools: OfferedTools): WrittenCall | undefined {
  const inner = isRecord(value.function) ? value.function : value;
  const own = [...NAME_KEYS, ...ARGUMENT_KEYS].filter((key) => Object.hasOwn(inner, key));
  const others = Object.keys(inner).filter((key) => !own.some((each) => each === key) && !IDLE_KEYS.has(key));
  const outer = inner === value ? [] : Object.keys(value).filter((key) => key !== "function" && !IDLE_KEYS.has(key));
  const call = others.length + outer.length === 0 ? callOf(value, tools) : undefined;
  const isOurs = inner !== value || (typeof inner.tool === "string" && Object.hasOwn(inner, "args"));
  return call && (isOurs || tools.find(call.name)) ? call : undefined;
}

/** The calls of OpenAI's `{"tool_calls": […]}`, written by models that were trained on its replies. */
export function listedCalls(value: unknown, tools: OfferedTools): WrittenCall[] | undefined {
  if (!isRecord(value) || !tools.isTextAsked || !Array.isArray(value.tool_calls)) return undefined;
  const { tool_calls: list, ...others } = value;
  const calls = list.map((each) => callOf(each, tools)).filter((each) => each !== undefined);
  const idle = new Set(["role", "content"]);
  const isList = calls.length > 0 && calls.length === list.length && Object.keys(others).every((key) => idle.has(key));
  return isList ? calls : undefined;
}

/** An object; the JSON of one inside a string; or a list of one: only these are unambiguous. */
export function argumentsOf(value: unknown): Pick<WrittenCall, "input" | "inputText"> {
  if (isRecord(value)) return { input: value };
  if (value === null || value === undefined) return { input: {} };
  if (Array.isArray(value) && value.length === 1 && isRecord(value[0])) return { input: value[0] };
  if (typeof value !== "string") return { inputText: JSON.stringify(value) };
  if (value.trim() === "") return { input: {} };
  const parsed = tryParseJson(value);
  const inner = parsed.ok ? parsed : tryParseJson(repairJson(value).text);
  return inner.ok && isRecord(inner.value) ? { input: inner.value } : { inputText: value };
}

const HEAD =
  /\{\s*(?:"(?:id|type|tool_call_id)"\s*:\s*"[^"\\]{0,100}"\s*,\s*)?"(name|tool|function|tool_name)"\s*:\s*"([^"\\\n]{1,128})"\s*(?:,\s*"(?:arguments|parameters|args|input)"\s*:\s*)?/y;

/**
 * The tool, and the start of the arguments, of an object that cannot be read to its end. Undefined unless the name
 * comes first.
 */
export function headOf(text: string, at: number, tools: OfferedTools): { name: string; from: number } | undefined {
  HEAD.lastIndex = at;
  const match = HEAD.exec(text);
  const name = match?.[2];
  return match && name !== undefined && tools.takes(name) ? { name, from: at + match[0].length } : undefined;
}
