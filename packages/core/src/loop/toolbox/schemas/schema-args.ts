import { type OutputUnit, Validator } from "@cfworker/json-schema";
import * as z from "zod";
import { sanitizeText } from "../../../context/sanitize-text.ts";
import type { Tool } from "../../../ports/tool.ts";
import { type Input, isInput } from "../../../tools/argument-names.ts";
import { isTooDeep } from "../../json/json-depth.ts";
import { checkableSchema } from "./checkable-schema.ts";

/** Each request contains the schema again. */
const MAX_SCHEMA_CHARS = 16_000;
/** Long descriptions of single arguments are cut before a tool is refused. */
const MAX_ARGUMENT_TEXT = 300;
const MAX_ISSUES = 20;

export type SchemaArgs = Required<Pick<Tool<Input>, "args" | "inputSchema">>;

/** The part of a schema that is read here; the validator reads the rest. */
const readable: z.ZodType = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  get properties() {
    return z.record(z.string(), z.union([z.boolean(), readable])).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return z.union([z.boolean(), readable, z.array(z.unknown())]).optional();
  },
  get anyOf() {
    return z.array(z.union([z.boolean(), readable])).optional();
  },
  enum: z.array(z.unknown()).optional(),
});

/**
 * The arguments of a tool with its own JSON Schema, such as one of a program or an MCP server: models get the schema as
 * it is, and calls are checked against it. A sentence if the schema cannot be used.
 */
export function schemaArgs(schema: unknown): SchemaArgs | { problem: string } {
  if (!isInput(schema)) return { problem: "its schema is not a JSON object" };
  if (isTooDeep(schema)) return { problem: "its schema is nested too deeply" };
  const { $schema: _dialect, type = "object", properties = {}, ...rest } = schema;
  if (type !== "object") return { problem: "its schema is not one of an object, which the arguments of a tool are" };
  const whole = wellFormed({ type, properties, ...rest });
  const read = readable.safeParse(whole);
  if (!read.success) return { problem: `its schema is not valid at ${read.error.issues[0]?.path.join(".")}` };
  const inputSchema = withinLimit(whole);
  const size = JSON.stringify(inputSchema).length;
  if (size > MAX_SCHEMA_CHARS)
    return { problem: `its schema has ${size} characters, and ${MAX_SCHEMA_CHARS} are the limit` };
  return { inputSchema, args: argsOf(inputSchema) };
}

/** How JSON escapes NUL and lone surrogates; it writes whole characters as they are. */
const UNFIT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** An API would refuse every request with a tool whose schema contains invalid text. */
function wellFormed(schema: Input): Input {
  const json = JSON.stringify(schema);
  if (!UNFIT.test(json)) return schema;
  return JSON.parse(json, (_, value: unknown) => {
    if (typeof value === "string") return sanitizeText(value);
    if (!isInput(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [sanitizeText(key), each]));
  });
}

function argsOf(schema: Input): z.ZodType<Input> {
  let validator: Validator | undefined;
  return z.record(z.string(), z.unknown()).superRefine((input, context) => {
    let errors: OutputUnit[];
    try {
      validator ??= new Validator(checkableSchema(schema) ?? {}, "2020-12", false);
      errors = validator.validate(input).errors;
    } catch {
      // A reference without a target, or a schema that only refers to itself: the tool checks its arguments.
      return;
    }
    for (const error of innermost(errors).slice(0, MAX_ISSUES)) addIssue(context, schema, error);
  });
}

/** Without errors that only say that something inside is wrong. */
function innermost(errors: readonly OutputUnit[]): OutputUnit[] {
  const isOuter = ({ keyword }: OutputUnit) =>
    ["properties", "items", "prefixItems", "$ref", "allOf", "additionalProperties"].includes(keyword);
  const inner = errors.filter((error) => !isOuter(error));
  return inner.length > 0 ? inner : [...errors];
}

function addIssue(context: z.RefinementCtx, schema: Input, { keyword, keywordLocation, ...error }: OutputUnit): void {
  const path = pathOf(error.instanceLocation);
  const rule = valueAt(schema, keywordLocation);
  if (keyword === "required") {
    const name = /"(.*)"/s.exec(error.error)?.[1] ?? "";
    context.addIssue({ code: "custom", path: [...path, name], message: "a value" });
  } else if (keyword === "type") {
    const types = [rule].flat().filter((each) => typeof each === "string");
    context.addIssue({ code: "custom", path, message: types.length > 0 ? `type ${types.join(" or ")}` : error.error });
  } else if (keyword === "enum" && Array.isArray(rule)) {
    context.addIssue({ code: "custom", path, message: `one of ${JSON.stringify(rule).slice(1, -1)}` });
  } else context.addIssue({ code: "custom", path, message: error.error });
}

/** The path `#/a/b~1c` as a list of names. */
function pathOf(location: string): string[] {
  const parts = location.split("/").slice(1);
  return parts.map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(schema: unknown, location: string): unknown {
  let node = schema;
  for (const key of pathOf(location)) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = node[key as keyof typeof node];
  }
  return node;
}

/** Drops what only people read if the schema is too long. */
function withinLimit(schema: Input): Input {
  if (JSON.stringify(schema).length <= MAX_SCHEMA_CHARS) return schema;
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === "description" && typeof value === "string") return sanitizeText(value).slice(0, MAX_ARGUMENT_TEXT);
      return ["examples", "title", "$comment"].includes(key) && !isInput(value) ? undefined : value;
    }),
  );
}
