import type { ToolSpec } from "@harness/core";
import { describe, expect, it } from "vitest";
import { readTextCalls } from "../src/text-calls/scan/read-text-calls.ts";

const string = { type: "string" };

function tool(name: string, properties: Record<string, unknown>, required: string[]): ToolSpec {
  const inputSchema = { type: "object", properties, required, additionalProperties: false };
  return { name, description: `Does ${name}.`, inputSchema };
}

/** Tools with every shape of arguments. */
export const tools: readonly ToolSpec[] = [
  tool("read", { path: string, offset: { type: "integer" }, limit: { type: "integer" } }, ["path"]),
  tool("write", { path: string, content: string }, ["path", "content"]),
  tool("bash", { command: string, timeout_ms: { type: "number" }, background: { type: "boolean" } }, ["command"]),
  tool("edit", { path: string, edits: { type: "array", items: { type: "object" } } }, ["path", "edits"]),
  tool("ls", { path: string }, []),
  tool("get_weather", { city: string, unit: { enum: ["celsius", "fahrenheit"] }, days: { type: "integer" } }, ["city"]),
];

export const read = (path: string) => ["read", { path }] as const;
export const bash = (command: string) => ["bash", { command }] as const;
export const weather = (city: string) => ["get_weather", { city }] as const;

type ExpectedCall = readonly [name: string, input: Record<string, unknown>];
/** Why it is in the table; the model's text; the calls; the remaining text for people. */
export type CallRow = readonly [why: string, output: string, calls: readonly ExpectedCall[], left?: string];

/** One test per row: the call is read, by this form, and nothing of it is left. */
export function callTable(form: string, rows: readonly CallRow[]): void {
  describe(form, () => {
    for (const [why, output, calls, left = ""] of rows) {
      it(why, () => {
        const found = readTextCalls(output, tools);
        const read = found?.calls.map((call) => [call.name, call.input ?? { inputText: call.inputText }]);
        expect({ calls: read, left: found?.text, form: found?.form }).toEqual({ calls, left, form });
        expect(found?.calls.every((call) => call.form === form && !call.cut)).toBe(true);
      });
    }
  });
}
