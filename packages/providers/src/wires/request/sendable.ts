import type { ToolSpec } from "@harness/core";
import { asRecord } from "../../json/lenient-json.ts";
import { sendableSchema } from "./sendable-schema.ts";

// History as strict servers accept it. It contains what models wrote, and they write anything.

/** Function names outside this alphabet are refused, even in old messages. */
export function sendableName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "unnamed";
}

/** JSON escapes lone surrogates, and the parsers of some servers refuse such escapes. */
export function wellFormedJson(value: unknown): string {
  const text = JSON.stringify(value);
  return HALF.test(text) ? text.replace(ESCAPES, (each) => (HALF.test(each) ? "\ufffd" : each)) : text;
}

/** The same for clients that serialize the JSON themselves. */
export function wellFormedRecord(value: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(value);
  return HALF.test(text) ? asRecord(JSON.parse(wellFormedJson(value))) : value;
}

const HALF = /\\ud[89a-f]/;
/** Matches complete escapes, so that an escaped backslash does not begin another. */
const ESCAPES = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g;

type FunctionTool = {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
};

/** A tool in the format of both OpenAI's and Ollama's chat API. */
export function functionTool({ name, description, inputSchema }: ToolSpec): FunctionTool {
  return { type: "function", function: { name, description, parameters: sendableSchema(inputSchema) } };
}
