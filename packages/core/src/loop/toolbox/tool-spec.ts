import * as z from "zod";
import { sanitizeText } from "../../context/sanitize-text.ts";
import type { PromptBudget } from "../../context/system/prompt-budget.ts";
import type { ToolSpec } from "../../ports/provider.ts";
import type { Tool, ToolForm } from "../../ports/tool.ts";

const MAX_DESCRIPTION = 2_000;

/** Memo of a pure function: a tool never changes, and its entry is collected with it. */
const specs = new WeakMap<ToolForm, ToolSpec>();
/** Memo of a pure function: tools are made for each session, but their argument schemas exist once. */
const schemas = new WeakMap<NonNullable<ToolForm["args"]>, Record<string, unknown>>();

/** The description of a tool for a context window of this size. */
export function specFor(tool: Tool, size: PromptBudget["size"]): ToolSpec {
  if (size === "small") return withWords(briefSpec(tool), tool.changing?.(true));
  const spec = withWords(toolSpec(tool), size === "ample" && tool.details ? ` ${tool.details}` : "");
  return withWords(spec, tool.changing?.(false));
}

/** The same with this text at the end of its description. */
export function withWords(spec: ToolSpec, words = ""): ToolSpec {
  return words === "" ? spec : { ...spec, description: `${spec.description}${words}` };
}

function briefSpec(tool: Tool): ToolSpec {
  const spec = toolSpec(tool);
  const { brief = spec.description, rareArgs = [] } = tool;
  const args = Object.entries((spec.inputSchema.properties ?? {}) as object);
  const properties = Object.fromEntries(args.filter(([name]) => !rareArgs.includes(name)));
  return { ...spec, description: brief, inputSchema: { ...spec.inputSchema, properties } };
}

/** The description of a tool for the model, cached because schemas are most of a first request. */
export function toolSpec(tool: ToolForm): ToolSpec {
  const known = specs.get(tool);
  if (known) return known;
  const { name, inputSchema } = tool;
  const spec = inputSchema
    ? { name, description: cutDescription(tool.description), inputSchema }
    : { name, description: tool.description, inputSchema: leanSchema(tool.args) };
  specs.set(tool, spec);
  return spec;
}

/** The description of a foreign tool, as its author wrote it but cut to the limit. */
function cutDescription(text: string): string {
  const clean = sanitizeText(text).trim();
  return clean.length <= MAX_DESCRIPTION ? clean : `${clean.slice(0, MAX_DESCRIPTION).toWellFormed()}…`;
}

function leanSchema(args: ToolForm["args"]): Record<string, unknown> {
  const known = schemas.get(args);
  if (known) return known;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(args, { io: "input" });
  const made = lean(schema) as Record<string, unknown>;
  schemas.set(args, made);
  return made;
}

/**
 * Removes what costs tokens in each request and says nothing: bounds of every integer, and of a text that has any; that
 * names are texts; that there are no other properties than those listed, which `args` refuses.
 */
function lean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(lean);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).filter(
    ([key, value]) =>
      !(key === "maximum" && value === Number.MAX_SAFE_INTEGER) &&
      !(key === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
      !(key === "minLength" && value === 1) &&
      !(key === "additionalProperties" && value === false && "properties" in node) &&
      !(key === "propertyNames" && JSON.stringify(value) === '{"type":"string"}'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, lean(value)]));
}
