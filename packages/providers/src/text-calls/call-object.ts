import { isRecord, parseJson } from "../loose-json.ts";
import { mendJson } from "./json-value.ts";
import type { OfferedTools } from "./offered-tools.ts";
import type { WrittenCall } from "./text-call.ts";

const NAME_KEYS = ["name", "tool", "function", "tool_name"] as const;
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input"] as const;
/** What wrappers write beside name and arguments, and what says nothing. */
const IDLE_KEYS = new Set(["id", "type", "index", "tool_call_id", "call_id"]);

/** The call that an object inside a wrapper means, when its tool is offered. */
export function callOf(value: unknown, tools: OfferedTools): WrittenCall | undefined {
  if (!isRecord(value)) return undefined;
  if (isRecord(value.function)) return callOf(value.function, tools);
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === "string");
  const name = nameKey === undefined ? undefined : value[nameKey];
  if (typeof name !== "string" || !tools.find(name)) return undefined;
  const argumentKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(value, key));
  if (argumentKey !== undefined) return { name, ...argumentsOf(value[argumentKey]) };
  const others = Object.keys(value).filter((key) => key !== nameKey && !IDLE_KEYS.has(key));
  return others.length === 0 ? { name, input: {} } : undefined;
}

/**
 * The call that an object means with nothing around it: exactly a name of an offered tool and arguments, and nothing
 * else but OpenAI's `"type": "function"`.
 */
export function bareCallOf(value: unknown, tools: OfferedTools): WrittenCall | undefined {
  if (!isRecord(value)) return undefined;
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

/** An object; the JSON of one inside a string; or a list of one: only these have one reading. */
export function argumentsOf(value: unknown): Pick<WrittenCall, "input" | "inputText"> {
  if (isRecord(value)) return { input: value };
  if (value === null || value === undefined) return { input: {} };
  if (Array.isArray(value) && value.length === 1 && isRecord(value[0])) return { input: value[0] };
  if (typeof value !== "string") return { inputText: JSON.stringify(value) };
  if (value.trim() === "") return { input: {} };
  const parsed = parseJson(value);
  const inner = parsed.ok ? parsed : parseJson(mendJson(value));
  return inner.ok && isRecord(inner.value) ? { input: inner.value } : { inputText: value };
}

const HEAD =
  /\{\s*(?:"(?:id|type|tool_call_id)"\s*:\s*"[^"\\]{0,100}"\s*,\s*)?"(name|tool|function|tool_name)"\s*:\s*"([^"\\\n]{1,128})"\s*(?:,\s*"(?:arguments|parameters|args|input)"\s*:\s*)?/y;

/**
 * Of an object that cannot be read to its end: the tool, and where its arguments begin. Undefined unless the name of an
 * offered tool came first.
 */
export function headOf(text: string, at: number, tools: OfferedTools): { name: string; from: number } | undefined {
  HEAD.lastIndex = at;
  const match = HEAD.exec(text);
  const name = match?.[2];
  return match && name !== undefined && tools.find(name) ? { name, from: at + match[0].length } : undefined;
}
