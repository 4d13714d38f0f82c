import type { ToolCallPart } from "@harness/protocol";
import type { Tool, ToolAlias } from "../ports/tool.ts";
import { fieldsHint, issuesText, received } from "./argument-issue.ts";
import { type ArgumentSchema, coerce, isRecord, unknownKeys } from "./coerce.ts";
import { isCutJson, isTooDeep, TOO_DEEP } from "./json-depth.ts";
import { toolSpec } from "./tool-spec.ts";

/** Arguments ready for the tool, with notes for the model on what was repaired by leaving it out; or what is wrong. */
export type CallArguments = { args: unknown; notes: string[] } | { problem: string };

type Written = Pick<ToolCallPart, "input" | "inputText">;

/**
 * From what the model wrote to what the tool takes: parse, alias, repair, validate. Pure. A call that was cut off is
 * never completed by guessing, and a missing value is never invented.
 */
export function callArguments(written: Written, tool: Tool, alias?: ToolAlias): CallArguments {
  const parsed = parseInput(written);
  if ("problem" in parsed) return parsed;
  const schema = toolSpec(tool).inputSchema as ArgumentSchema;
  const input = coerce(schema, alias ? alias.convert(parsed.input) : parsed.input);
  if (!isRecord(input)) return { problem: notAnObject(received(input)) };
  const unknown = unknownKeys(schema, input);
  if (unknown.length > 0 && tool.category !== "readOnly") return { problem: unknownKeysText(tool, unknown, schema) };
  const known = Object.fromEntries(Object.entries(input).filter(([key]) => !unknown.includes(key)));
  const checked = tool.args.safeParse(known);
  if (!checked.success) return { problem: issuesText(tool.name, checked.error.issues, known, schema) };
  return { args: checked.data, notes: unknown.length > 0 ? [ignoredText(unknown)] : [] };
}

/** The model's own text for arguments, where the provider could not read an object from it. */
function parseInput({ input, inputText }: Written): { input: Record<string, unknown> } | { problem: string } {
  if (input) return isTooDeep(input) ? { problem: TOO_DEEP } : { input };
  let value: unknown = unfenced(inputText ?? "");
  if (value === "") return { input: {} };
  // Twice: some models send a JSON string that holds the JSON.
  for (let round = 0; round < 2 && typeof value === "string"; round += 1) {
    try {
      value = JSON.parse(value);
    } catch {
      return { problem: isCutJson(String(value)) ? cutText(String(value)) : notJson(String(value)) };
    }
  }
  if (isTooDeep(value)) return { problem: TOO_DEEP };
  if (Array.isArray(value) && value.length === 1) value = value[0];
  return isRecord(value) ? { input: value } : { problem: notAnObject(received(value)) };
}

function unfenced(text: string): string {
  return text
    .trim()
    .replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, "$1")
    .replace(/^\uFEFF/, "");
}

/** For a call whose arguments end before they are complete. */
export function cutText(inputText: string): string {
  return `Your call was cut after ${inputText.length} characters of arguments; it did not run. Send it in parts: several smaller calls.`;
}

function notJson(text: string): string {
  return `The arguments are not valid JSON; the call did not run. Received: ${received(text)}. Send one JSON object.`;
}

function notAnObject(what: string): string {
  return `The arguments must be one JSON object; the call did not run. Received: ${what}.`;
}

function unknownKeysText(tool: Tool, unknown: string[], schema: ArgumentSchema): string {
  const names = unknown.map((key) => `\`${key.slice(0, 60)}\``).join(", ");
  return `\`${tool.name}\` has no argument ${names}; it did not run. ${fieldsHint(schema)}`;
}

function ignoredText(unknown: string[]): string {
  const names = unknown.map((key) => `\`${key.slice(0, 60)}\``).join(", ");
  return `(ignored: ${names}, which this tool does not have)`;
}
