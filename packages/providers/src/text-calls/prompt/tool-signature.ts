import type { ToolSpec } from "@harness/core";
import { asList, asRecord, isRecord } from "../../json/lenient-json.ts";

const MAX_DEPTH = 3;
const MAX_VALUES = 12;

/**
 * The tools, one per line: `- read(path: string, offset?: integer): Reads a file.` A tenth of the size of their
 * schemas.
 */
export function toolLines(tools: readonly ToolSpec[]): string {
  return tools.map((tool) => `- ${signature(tool)}${described(tool.description)}`).join("\n");
}

function signature({ name, inputSchema }: ToolSpec): string {
  return `${name}(${members(inputSchema, 0).join(", ")})`;
}

/** The first paragraph of the description as one line. */
function described(description: string): string {
  const first = description.trim().split(/\n\s*\n/)[0] ?? "";
  const line = first.replace(/\s+/g, " ").trim();
  return line === "" ? "" : `: ${line}`;
}

function members(schema: unknown, depth: number): string[] {
  const { properties, required } = asRecord(schema);
  const needed = new Set(asList(required));
  return Object.entries(asRecord(properties)).map(
    ([key, value]) => `${key}${needed.has(key) ? "" : "?"}: ${typeOf(value, depth + 1)}`,
  );
}

function typeOf(schema: unknown, depth: number): string {
  if (!isRecord(schema) || depth > MAX_DEPTH) return "any";
  if (Array.isArray(schema.enum)) return valuesOf(schema.enum);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const branches = asList(schema.anyOf ?? schema.oneOf);
  if (branches.length > 0) return [...new Set(branches.map((each) => typeOf(each, depth)))].join(" | ");
  const { type } = schema;
  if (Array.isArray(type)) return type.join(" | ");
  if (type === "array") return arrayOf(typeOf(schema.items, depth));
  if (type !== "object") return typeof type === "string" ? type : "any";
  const inner = members(schema, depth);
  return inner.length > 0 ? `{${inner.join(", ")}}` : "object";
}

function valuesOf(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((each) => JSON.stringify(each));
  return [...shown, ...(values.length > MAX_VALUES ? ["…"] : [])].join(" | ");
}

function arrayOf(type: string): string {
  return /[ |]/.test(type) && !type.startsWith("{") ? `(${type})[]` : `${type}[]`;
}
