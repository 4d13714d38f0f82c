import { type SchemaArgs, schemaArgs, type Tool } from "@harness/core";
import { isRecord, jsonValue } from "@harness/host";
import { type EffectRow, readEffects } from "./tool-effects.ts";

const MAX_TIMEOUT_MS = 600_000;
const MAX_SHOWN = 80;
const CATEGORIES = ["readOnly", "destructive"] as const;

/** An executable's own description as a tool. */
export type ToolDescription = SchemaArgs & {
  description: string;
  category: Tool["category"];
  /** Undefined if only the tool knows what it does, so that the user is asked about each call as for a command. */
  effects: readonly EffectRow[] | undefined;
  /** By default, the user's setting. */
  timeoutMs?: number;
};

/** Why no tool can have this name, as a clause; undefined if one can. */
export function toolNameProblem(name: string): string | undefined {
  if (/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name) && !name.startsWith("mcp__")) return undefined;
  return "a tool's name has up to 64 letters, digits, - and _, and begins with a letter";
}

/** Parses an executable's `--schema` output; the problem is a clause about it. */
export function readToolSchema(printed: string, name: string): ToolDescription | { problem: string } {
  const json = jsonValue(printed);
  if (!isRecord(json)) {
    const what = printed.trim() === "" ? "nothing" : JSON.stringify(printed.trim().slice(0, MAX_SHOWN));
    return { problem: `its --schema did not print a JSON object, but ${what}` };
  }
  const { description, "x-harness": own = {} } = json;
  if (json.name !== undefined && json.name !== name) {
    const other = JSON.stringify(json.name).slice(0, MAX_SHOWN);
    return { problem: `its --schema calls it ${other}, but its file is called ${name}: use the same name` };
  }
  if (typeof description !== "string" || description.trim() === "")
    return { problem: "its --schema has no description, which a model needs to choose it" };
  const form = schemaArgs(json.input_schema ?? json.inputSchema ?? json.parameters ?? {});
  if ("problem" in form) return form;
  if (!isRecord(own)) return { problem: "its x-harness is not an object" };
  const read = readOwn(own, form.inputSchema);
  return typeof read === "string" ? { problem: read } : { description, ...form, ...read };
}

type Own = Pick<ToolDescription, "category" | "effects" | "timeoutMs">;

function readOwn(own: Record<string, unknown>, inputSchema: SchemaArgs["inputSchema"]): Own | string {
  const { category = "destructive", effects, timeoutMs } = own;
  const known = CATEGORIES.find((each) => each === category);
  if (!known) return `the category of its x-harness is not one of ${CATEGORIES.join(", ")}`;
  const properties = isRecord(inputSchema.properties) ? inputSchema.properties : {};
  const rows = effects === undefined ? undefined : readEffects(effects, properties);
  if (typeof rows === "string") return rows;
  if (timeoutMs === undefined) return { category: known, effects: rows };
  if (typeof timeoutMs !== "number" || !(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS))
    return `the timeoutMs of its x-harness is not a number from 1 to ${MAX_TIMEOUT_MS}`;
  return { category: known, effects: rows, timeoutMs };
}
