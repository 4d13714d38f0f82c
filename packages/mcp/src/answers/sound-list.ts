import { isRecord, plainLine } from "@harness/host";

type Json = Readonly<Record<string, unknown>>;

/** Of the protocol: since 2026 results may be of any type. */
export type Era = "legacy" | "modern";

/** A list as the SDK accepts it, and a sentence for each dropped entry. */
export type SoundList = { entries: Json[]; notes: string[] };

/** `called`: what people call an entry. `entryOf`: the usable part of an entry, or why there is none. */
type ListKind = { field: string; called: string; entryOf(entry: Json, era: Era): Json | Problem };

const MAX_SHOWN = 60;

const KINDS: Readonly<Record<string, ListKind>> = {
  "tools/list": { field: "tools", called: "tool", entryOf: toolOf },
  "prompts/list": { field: "prompts", called: "prompt", entryOf: promptOf },
  "resources/list": { field: "resources", called: "resource", entryOf: (entry) => addressed(entry, "uri") },
  "resources/templates/list": {
    field: "resourceTemplates",
    called: "resource template",
    entryOf: (entry) => addressed(entry, "uriTemplate"),
  },
};

/** The part of a result that contains the list; undefined: the method lists nothing. */
export function listField(method: string): string | undefined {
  return KINDS[method]?.field;
}

/** Checks each entry separately: an unusable one costs a sentence, and a bad detail only costs that detail. */
export function soundList(method: string, answer: unknown, era: Era): SoundList {
  const kind = KINDS[method];
  if (!kind) return { entries: [], notes: [] };
  if (answer === undefined || answer === null) return { entries: [], notes: [] };
  if (!Array.isArray(answer)) return { entries: [], notes: [`Its ${kind.field} are not a list and are left out.`] };
  const notes: string[] = [];
  const entries = answer.flatMap((entry: unknown, at): Json[] => {
    const made = isRecord(entry) ? kind.entryOf(entry, era) : { problem: "it is not an object" };
    if (!isProblem(made)) return [made];
    const name = isRecord(entry) ? nameOf(entry) : undefined;
    const which = name === undefined ? `${kind.called} number ${at + 1}` : `${kind.called} ${JSON.stringify(name)}`;
    notes.push(`The ${which} is left out: ${made.problem}.`);
    return [];
  });
  return { entries, notes };
}

type Problem = { problem: string };

function isProblem(made: Json | Problem): made is Problem {
  return "problem" in made;
}

function nameOf({ name, uri, uriTemplate }: Json): string | undefined {
  const label = [name, uri, uriTemplate].find((each) => typeof each === "string" || typeof each === "number");
  return label === undefined ? undefined : plainLine(String(label), MAX_SHOWN) || undefined;
}

function toolOf(tool: Json, era: Era): Json | Problem {
  if (typeof tool.name !== "string") return { problem: "its name is not a text" };
  const inputSchema = argumentSchema(tool.inputSchema);
  if ("problem" in inputSchema) return inputSchema;
  const outputSchema = resultSchema(tool.outputSchema, era);
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = recordOf(tool.annotations);
  return {
    ...texts({ name: tool.name, title: tool.title, description: tool.description }),
    inputSchema: inputSchema.schema,
    ...(outputSchema && { outputSchema }),
    annotations: {
      ...texts({ title }),
      ...booleans({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }),
    },
    ...metaOf(tool),
  };
}

/** A tool's arguments are one object: a schema that may mean one without saying so at its root is corrected. */
function argumentSchema(schema: unknown): { schema: Json } | Problem {
  // A tool without arguments.
  if (schema === undefined || schema === null) return { schema: { type: "object" } };
  if (!isRecord(schema)) return { problem: "its schema is not a JSON object" };
  const { type, properties, required, $schema, ...rest } = schema;
  const isOfObject = type === undefined || type === null || [type].flat().includes("object");
  if (!isOfObject) return { problem: "its schema is not one of an object, which the arguments of a tool are" };
  if (properties !== undefined && properties !== null && !isRecord(properties))
    return { problem: "the properties of its schema are not an object" };
  return {
    schema: {
      ...texts({ $schema }),
      type: "object",
      ...(isRecord(properties) && { properties }),
      ...(Array.isArray(required) && { required: required.filter((name) => typeof name === "string") }),
      ...rest,
    },
  };
}

/** Undefined: results are not compared with it. */
function resultSchema(schema: unknown, era: Era): Json | undefined {
  if (!isRecord(schema)) return undefined;
  if (era === "modern") return schema.$schema === undefined || typeof schema.$schema === "string" ? schema : undefined;
  const { type = "object", properties, required } = schema;
  const isSound =
    type === "object" &&
    (properties === undefined || isRecord(properties)) &&
    (required === undefined || (Array.isArray(required) && required.every((name) => typeof name === "string")));
  return isSound ? { ...schema, type } : undefined;
}

function promptOf(prompt: Json): Json | Problem {
  if (typeof prompt.name !== "string") return { problem: "its name is not a text" };
  const promptArguments = prompt.arguments ?? [];
  if (!Array.isArray(promptArguments)) return { problem: "its arguments are not a list" };
  const args = promptArguments.map(recordOf);
  if (args.some(({ name }) => typeof name !== "string")) return { problem: "an argument has no name" };
  return {
    ...texts({ name: prompt.name, title: prompt.title, description: prompt.description }),
    arguments: args.map(({ name, description, required }) => ({
      ...texts({ name, description }),
      ...booleans({ required }),
    })),
    ...metaOf(prompt),
  };
}

function addressed(entry: Json, field: "uri" | "uriTemplate"): Json | Problem {
  const address = entry[field];
  if (typeof address !== "string" || address === "") return { problem: `it has no ${field}` };
  const { name, title, description, mimeType, size } = entry;
  return {
    [field]: address,
    name: typeof name === "string" && name !== "" ? name : address,
    ...texts({ title, description, mimeType }),
    ...(typeof size === "number" && { size }),
    ...metaOf(entry),
  };
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function metaOf({ _meta }: Json): Json {
  return isRecord(_meta) ? { _meta } : {};
}

function texts(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string"));
}

function booleans(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "boolean"));
}
