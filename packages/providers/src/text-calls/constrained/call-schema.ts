import type { ToolSpec } from "@harness/core";
import { isRecord } from "../../json/lenient-json.ts";

type Schema = Record<string, unknown>;

/**
 * The schema of a constrained reply: text for the user, then calls. Without calls the text is the final answer. It is
 * one object without references, because servers that turn schemas into grammars (llama.cpp, Ollama, vLLM, LM Studio)
 * support little more.
 */
export function callSchema(tools: readonly ToolSpec[]): Schema {
  const calls = tools.map((tool) =>
    closedObject({ tool: { const: tool.name, type: "string" }, args: grammarOf(tool.inputSchema) }),
  );
  return closedObject({
    say: { type: "string" },
    calls: { type: "array", items: calls.length === 1 ? calls[0] : { anyOf: calls } },
  });
}

function closedObject(properties: Schema): Schema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

const MAX_LEVELS = 12;

/**
 * The part of a tool's schema that a grammar can express. The tool checks its arguments itself, so a wider schema is
 * never wrong.
 */
function grammarOf(schema: unknown): Schema {
  if (!isRecord(schema) || JSON.stringify(schema).includes('"$ref"')) return { type: "object" };
  const kept = keep(schema, 0);
  return kept.type === "object" ? kept : { type: "object" };
}

function keep(schema: unknown, level: number): Schema {
  if (!isRecord(schema) || level > MAX_LEVELS) return {};
  if (Array.isArray(schema.enum)) return { enum: schema.enum };
  if (schema.const !== undefined) return { const: schema.const };
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf : schema.oneOf;
  if (Array.isArray(branches)) return { anyOf: branches.map((each) => keep(each, level + 1)) };
  const kept: Schema = {};
  if (typeof schema.type === "string" || Array.isArray(schema.type)) kept.type = schema.type;
  if (isRecord(schema.items)) kept.items = keep(schema.items, level + 1);
  if (isRecord(schema.properties)) {
    const entries = Object.entries(schema.properties).map(([key, value]) => [key, keep(value, level + 1)]);
    kept.properties = Object.fromEntries(entries);
    kept.required = Array.isArray(schema.required) ? schema.required : [];
    kept.additionalProperties = isRecord(schema.additionalProperties)
      ? keep(schema.additionalProperties, level + 1)
      : schema.additionalProperties === true;
  }
  return kept;
}
