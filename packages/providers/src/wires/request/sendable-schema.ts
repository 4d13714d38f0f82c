import { asList, asRecord, asText, isRecord, type JsonRecord } from "../../json/lenient-json.ts";

/** Memo of a pure function: every request contains the tools' schemas. */
const sendable = new WeakMap<object, JsonRecord>();
/** Deeper schemas are sent as they are. */
const MAX_DEPTH = 40;

/**
 * A tool's schema as all servers accept it: one object, without a choice at its root and without dangling references. A
 * schema that is already fine is returned unchanged.
 */
export function sendableSchema(schema: JsonRecord): JsonRecord {
  const known = sendable.get(schema);
  if (known) return known;
  const made = asRecord(withoutDanglingRefs(asObject(schema), schema, 0));
  sendable.set(schema, made);
  return made;
}

const CHOICES = ["anyOf", "oneOf", "allOf"] as const;
const ROOT_ONLY = [...CHOICES, "not", "enum", "const", "if", "then", "else", "$ref"];

function asObject(schema: JsonRecord): JsonRecord {
  const isPlain = schema.type === "object" && !ROOT_ONLY.some((key) => Object.hasOwn(schema, key));
  if (isPlain) return schema;
  const root = "$ref" in schema ? { ...asRecord(resolveReference(schema.$ref, schema)), ...schema } : schema;
  const kept = Object.fromEntries(Object.entries(root).filter(([key]) => !ROOT_ONLY.includes(key)));
  const branches = CHOICES.flatMap((key) =>
    asList(root[key])
      .map(asRecord)
      .map((branch) => ({ ...asRecord(resolveReference(branch.$ref, schema)), ...branch })),
  );
  const properties = Object.assign({}, ...branches.map((each) => asRecord(each.properties)), asRecord(root.properties));
  const required = new Set([...asList(root.required), ...requiredByAll(root, schema)]);
  return {
    ...kept,
    type: "object",
    ...((Object.keys(properties).length > 0 || "properties" in root) && { properties }),
    ...(required.size > 0 && { required: [...required] }),
  };
}

/** The properties required by every branch of a choice, and by any part of an `allOf`. */
function requiredByAll(root: JsonRecord, schema: JsonRecord): unknown[] {
  const requiredBy = (branch: unknown) => {
    const own = asRecord(branch);
    return asList(own.required ?? asRecord(resolveReference(own.$ref, schema)).required);
  };
  const ofChoices = [root.anyOf, root.oneOf].flatMap((choice) => {
    const [first, ...others] = asList(choice).map(requiredBy);
    return (first ?? []).filter((name) => others.every((each) => each.includes(name)));
  });
  return [...ofChoices, ...asList(root.allOf).flatMap(requiredBy)];
}

/** The part of the schema that a reference points to; undefined: there is none. */
function resolveReference(ref: unknown, schema: JsonRecord): unknown {
  const path = asText(ref);
  if (path === "#") return schema;
  if (!path.startsWith("#/")) return undefined;
  let node: unknown = schema;
  for (const step of path.slice(2).split("/")) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as JsonRecord)[key];
  }
  return isRecord(node) || typeof node === "boolean" ? node : undefined;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** A dangling reference allows anything. */
function withoutDanglingRefs(node: unknown, schema: JsonRecord, depth: number): unknown {
  if (depth > MAX_DEPTH || typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) {
    const list = node.map((each) => withoutDanglingRefs(each, schema, depth + 1));
    return list.every((each, at) => each === node[at]) ? node : list;
  }
  const before = Object.entries(node);
  const isDangling =
    typeof (node as JsonRecord).$ref === "string" && resolveReference((node as JsonRecord).$ref, schema) === undefined;
  const after = before
    .filter(([key]) => !(isDangling && key === "$ref"))
    .map(([key, value]): [string, unknown] => [key, withoutDanglingRefs(value, schema, depth + 1)]);
  const isSame = after.length === before.length && after.every(([, value], at) => value === before[at]?.[1]);
  return isSame ? node : Object.fromEntries(after);
}
