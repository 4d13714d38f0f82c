import { isInput } from "../../tools/argument-names.ts";
import { isTooDeep } from "../json/json-depth.ts";

/** The part of JSON Schema that tools' arguments use. */
export type ArgumentSchema = {
  type?: string | string[];
  properties?: Record<string, ArgumentSchema>;
  required?: string[];
  items?: ArgumentSchema;
  anyOf?: ArgumentSchema[];
  additionalProperties?: unknown;
  enum?: unknown[];
};

/**
 * Repairs common mistakes of weak models that allow only one reading: types by schema, other spellings of keys, null
 * for an optional value. It never invents a value; validation reports the rest.
 */
export function coerce(schema: ArgumentSchema, value: unknown): unknown {
  if (schema.anyOf) return coerceToAny(schema.anyOf, value);
  const types = typesOf(schema);
  if (types.length === 0) return value;
  const fitting = accepts(types, value) ? value : convert(types, value);
  if (Array.isArray(fitting) && schema.items) {
    const { items } = schema;
    return fitting.map((each) => coerce(items, each));
  }
  return isInput(fitting) && schema.properties ? coerceObject(schema, schema.properties, fitting) : fitting;
}

/**
 * Numbers as text if the schema wants text: only for tools that change nothing, because parsing may have lost the
 * spelling of a number: 1.10 has become 1.1, and long ones have lost digits.
 */
export function numbersAsText(schema: ArgumentSchema, value: Record<string, unknown>): Record<string, unknown> {
  const isText = (key: string) => {
    const property = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined;
    return property !== undefined && typesOf(property).join() === "string";
  };
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    Number.isSafeInteger(each) && isText(key) ? String(each) : each,
  ]);
  return Object.fromEntries(entries);
}

/** Keys of the value that the schema neither knows nor allows. */
export function unknownKeys(schema: ArgumentSchema, value: Record<string, unknown>): string[] {
  const { properties, additionalProperties } = schema;
  if (!properties || (additionalProperties !== undefined && additionalProperties !== false)) return [];
  return Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
}

function coerceToAny(branches: ArgumentSchema[], value: unknown): unknown {
  const fits = branches.find((each) => accepts(typesOf(each), value));
  if (fits) return coerce(fits, value);
  for (const branch of branches) {
    const attempt = coerce(branch, value);
    if (accepts(typesOf(branch), attempt)) return attempt;
  }
  return value;
}

function coerceObject(
  schema: ArgumentSchema,
  properties: Record<string, ArgumentSchema>,
  value: Record<string, unknown>,
): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const [written, each] of Object.entries(value)) {
    const key = knownKey(properties, value, written);
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (key !== written && Object.is(value[key], each)) continue;
    if (!property) entries.push([key, each]);
    else if (each === null && !accepts(typesOf(property), null) && !schema.required?.includes(key)) continue;
    else entries.push([key, coerce(property, each)]);
  }
  return Object.fromEntries(entries);
}

/** `filePath`, `File_Path` and `file-path` mean `file_path`, unless that is present as well with a different value. */
function knownKey(properties: Record<string, ArgumentSchema>, value: Record<string, unknown>, written: string): string {
  if (Object.hasOwn(properties, written)) return written;
  const plain = plainKey(written);
  const key = Object.keys(properties).find((each) => plainKey(each) === plain);
  return key !== undefined && (!Object.hasOwn(value, key) || Object.is(value[key], value[written])) ? key : written;
}

function plainKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function typesOf(schema: ArgumentSchema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf);
  if (schema.type === undefined) return [];
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

function accepts(types: string[], value: unknown): boolean {
  return types.length === 0 || types.some((type) => isOfType(type, value));
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isInput(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function convert(types: string[], value: unknown): unknown {
  for (const type of types) {
    const converted = convertTo(type, value);
    if (converted !== undefined) return converted;
  }
  return value;
}

function convertTo(type: string, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (type === "array") return parseAs(value, Array.isArray) ?? [value];
  if (type === "object") return parseAs(value, isInput);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (type === "integer") return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (type === "number") return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
  if (type === "boolean") return { true: true, false: false }[text.toLowerCase()];
  return undefined;
}

/** JSON inside a string, if the schema wants the value itself. */
function parseAs<T>(value: unknown, is: (value: unknown) => value is T): T | undefined {
  if (typeof value !== "string") return undefined;
  try {
    const inner: unknown = JSON.parse(value);
    return is(inner) && !isTooDeep(inner) ? inner : undefined;
  } catch {
    return undefined;
  }
}
