import type { z } from "zod";
import { isInput } from "../../tools/argument-names.ts";
import type { ArgumentSchema } from "./coerce.ts";

const MAX_RECEIVED = 200;
const MAX_ISSUES = 5;

/** Describes zod's issues for the model: field, expected and received value, and one line with all fields. */
export function issuesText(
  tool: string,
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  schema: ArgumentSchema,
): string {
  const sentences = issues.slice(0, MAX_ISSUES).map((issue) => issueSentence(issue, input));
  const more = issues.length > MAX_ISSUES ? [`… and ${issues.length - MAX_ISSUES} more.`] : [];
  return [
    `The arguments of \`${tool}\` are not valid; it did not run.`,
    ...sentences,
    ...more,
    fieldsHint(schema),
  ].join("\n");
}

/** Describes the arguments of a tool, such as `file_path: string, offset?: integer`, with a minimal example. */
export function fieldsHint(schema: ArgumentSchema): string {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([key, each]) => `${key}${schema.required?.includes(key) ? "" : "?"}: ${typeName(each)}`,
  );
  if (fields.length === 0) return "It takes no arguments: send {}.";
  return `It takes: ${fields.join(", ")}. For example ${JSON.stringify(exampleOf(schema))}.`;
}

/** A placeholder of the right type. */
function exampleOf(schema: ArgumentSchema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  switch (type) {
    case "object": {
      const required = Object.entries(schema.properties ?? {}).filter(([key]) => schema.required?.includes(key));
      return Object.fromEntries(required.map(([key, each]) => [key, exampleOf(each)]));
    }
    case "array":
      return schema.items ? [exampleOf(schema.items)] : [];
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return "…";
  }
}

/** The value as JSON, cut to a length at which the model still recognises it. */
export function received(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_RECEIVED ? `${text.slice(0, MAX_RECEIVED)}…` : text;
}

/** The first mistake in a few words, for people. */
export function issueWords(issues: readonly z.core.$ZodIssue[], input: unknown): string | undefined {
  const issue = issues[0];
  if (!issue || issue.path.length === 0) return undefined;
  const field = issue.path.map(String).join(".");
  const value = valueAt(input, issue.path);
  if (issue.code === "unrecognized_keys") return `no argument ${field}.${issue.keys[0] ?? ""}`;
  if (value === undefined) return `missing ${field}`;
  return value === "" ? `${field} is empty` : `${field} is not ${expectedType(issue)}`;
}

function issueSentence(issue: z.core.$ZodIssue, input: unknown): string {
  const value = valueAt(input, issue.path);
  const field = issue.path.length === 0 ? "arguments" : issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") return `- ${field}: has no argument \`${issue.keys.join("`, `")}\`.`;
  if (value === undefined) return `- ${field}: ${expectedType(issue)} is required, but nothing was sent.`;
  if (value === "") return `- ${field}: is empty.`;
  return `- ${field}: expected ${expectedType(issue)}, received ${received(value)}.`;
}

function expectedType(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : withArticle(issue.expected);
    case "invalid_value":
      return `one of ${issue.values.map((each) => JSON.stringify(each)).join(", ")}`;
    case "too_small":
      return `${sizeWord(issue.origin)} of at least ${issue.minimum}`;
    case "too_big":
      return `${sizeWord(issue.origin)} of at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function sizeWord(origin: string): string {
  return origin === "string" || origin === "array" ? `${withArticle(origin)} with a length` : "a value";
}

function withArticle(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isInput(value) && Object.hasOwn(value, key)) value = value[String(key)];
    else return undefined;
  }
  return value;
}

function typeName(schema: ArgumentSchema): string {
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map(typeName).join(" | ");
  if (schema.type === "array") return schema.items ? `${typeName(schema.items)}[]` : "array";
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" | ") ?? "any");
}
