import type { ToolSpec } from "@harness/core";

// History as strict servers accept it. It holds what models wrote, and they write anything.

/** Function names are refused outside this alphabet, also in old messages. */
export function sendableName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "unnamed";
}

/** Halves of characters are escaped by JSON, and such escapes are refused by the parsers of some servers. */
export function wellFormedJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\ud[89a-f]/.test(text)) return text;
  return JSON.stringify(value, (_key, each) => (typeof each === "string" ? each.toWellFormed() : each));
}

/** A tool as both OpenAI's and Ollama's chat API are told of it. */
export function functionTool({ name, description, inputSchema }: ToolSpec): unknown {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}
