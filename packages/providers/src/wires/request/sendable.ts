import type { ToolSpec } from "@harness/core";
import { asRecord } from "../../json/lenient-json.ts";
import { sendableSchema } from "./sendable-schema.ts";

// History as strict servers accept it. It holds what models wrote, and they write anything.

/** Function names are refused outside this alphabet, also in old messages. */
export function sendableName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "unnamed";
}

/** Halves of characters are escaped by JSON, and such escapes are refused by the parsers of some servers. */
export function wellFormedJson(value: unknown): string {
  const text = JSON.stringify(value);
  return HALF.test(text) ? text.replace(ESCAPES, (each) => (HALF.test(each) ? "\ufffd" : each)) : text;
}

/** The same for clients that write the JSON themselves. */
export function wellFormedRecord(value: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(value);
  return HALF.test(text) ? asRecord(JSON.parse(wellFormedJson(value))) : value;
}

const HALF = /\\ud[89a-f]/;
/** Whole ones, so that a backslash that is itself escaped begins none. */
const ESCAPES = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g;

type FunctionTool = {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
};

/** A tool in the format of both OpenAI's and Ollama's chat API. */
export function functionTool({ name, description, inputSchema }: ToolSpec): FunctionTool {
  return { type: "function", function: { name, description, parameters: sendableSchema(inputSchema) } };
}
