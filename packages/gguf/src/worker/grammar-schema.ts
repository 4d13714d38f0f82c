type Schema = Record<string, unknown>;

/** Limits beyond which a schema is left open, because a grammar cannot express it or would become too large. */
const MAX_DEPTH = 12;
const MAX_NODES = 2_000;
const MAX_REPEAT = 64;
const SIMPLE = new Set(["string", "number", "integer", "boolean", "null"]);
const FORMATS = new Set(["date-time", "date", "time"]);

const anything: Schema = {
  oneOf: [
    { type: ["string", "number", "boolean", "null"] },
    { type: "object", additionalProperties: true },
    { type: "array" },
  ],
};

/**
 * Prepares a JSON Schema for node-llama-cpp, which turns it into a grammar but supports no optional properties: they
 * may be null instead, and `withoutNullFillers` removes those nulls again. Schemas come from anywhere: whatever is odd
 * becomes "anything".
 */
export function grammarSchema(schema: unknown): Schema {
  return new GrammarSchema(schema).hold(schema, 0);
}

class GrammarSchema {
  readonly #root: unknown;
  #nodes = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  hold(schema: unknown, depth: number): Schema {
    this.#nodes += 1;
    if (!isSchema(schema) || depth > MAX_DEPTH || this.#nodes > MAX_NODES) return anything;
    const { description } = schema;
    const held = this.#shape(schema, depth);
    return typeof description === "string" && held !== anything ? { ...held, description } : held;
  }

  #shape(schema: Schema, depth: number): Schema {
    const { $ref, allOf, type } = schema;
    if (typeof $ref === "string") return this.hold(referred(this.#root, $ref), depth + 1);
    if ("const" in schema) return isLiteral(schema.const) ? { const: schema.const } : anything;
    if (Array.isArray(schema.enum)) return literals(schema.enum);
    const variants = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(variants)) return this.#either(variants, depth);
    if (Array.isArray(allOf)) return allOf.length === 1 ? this.hold(allOf[0], depth + 1) : anything;
    if (Array.isArray(type)) {
      if (type.length > 0 && type.every((each) => SIMPLE.has(each))) return { type };
      return this.#either(
        type.map((each) => ({ ...schema, type: each })),
        depth,
      );
    }
    if (type === "object" || (type === undefined && isSchema(schema.properties))) return this.#object(schema, depth);
    if (type === "array") return this.#list(schema, depth);
    if (type === "string") return text(schema);
    return typeof type === "string" && SIMPLE.has(type) ? { type } : anything;
  }

  #either(variants: unknown[], depth: number): Schema {
    if (variants.length === 0) return anything;
    return { oneOf: variants.map((each) => this.hold(each, depth + 1)) };
  }

  #object(schema: Schema, depth: number): Schema {
    const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
    const { additionalProperties } = schema;
    if (properties.length === 0) {
      const isOpen = additionalProperties !== false;
      const others = isSchema(additionalProperties) ? this.hold(additionalProperties, depth + 1) : true;
      return { type: "object", ...(isOpen && { additionalProperties: others }) };
    }
    const held = properties.map(([name, property]) => {
      const whole = this.hold(property, depth + 1);
      return [name, isOptional(schema, name) ? { oneOf: [whole, { type: "null" }] } : whole];
    });
    return { type: "object", properties: Object.fromEntries(held) };
  }

  #list({ items, prefixItems, minItems, maxItems }: Schema, depth: number): Schema {
    return {
      type: "array",
      ...(isSchema(items) && { items: this.hold(items, depth + 1) }),
      ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map((each) => this.hold(each, depth + 1)) }),
      ...(isFewRepeats(minItems) && { minItems }),
      ...(isFewRepeats(maxItems) && { maxItems }),
    };
  }
}

/** The value without the nulls that mean "not given". */
export function withoutNullFillers(value: unknown, schema: unknown): unknown {
  return emptied(value, schema, schema, 0);
}

function emptied(value: unknown, schema: unknown, root: unknown, depth: number): unknown {
  if (!isSchema(schema) || depth > MAX_DEPTH) return value;
  if (typeof schema.$ref === "string") return emptied(value, referred(root, schema.$ref), root, depth + 1);
  if (Array.isArray(value)) return value.map((each) => emptied(each, schema.items, root, depth + 1));
  if (!isSchema(value)) return value;
  const shape = objectFor(value, schema);
  if (!shape || !isSchema(shape.properties)) return value;
  const { properties } = shape;
  const kept = Object.entries(value).filter(
    ([name, each]) => each !== null || !isOptional(shape, name) || takesNull(properties[name], root, depth + 1),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, emptied(each, properties[name], root, depth + 1)]));
}

/** The schema, or the variant of it, that describes the object. */
function objectFor(value: Schema, schema: Schema): Schema | undefined {
  if (isSchema(schema.properties)) return schema;
  const variants: unknown = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(variants)) return undefined;
  const names = Object.keys(value);
  return variants.filter(isSchema).find(({ properties }) => {
    return isSchema(properties) && names.every((name) => Object.hasOwn(properties, name));
  });
}

function takesNull(schema: unknown, root: unknown, depth: number): boolean {
  if (!isSchema(schema) || depth > MAX_DEPTH) return true;
  if (typeof schema.$ref === "string") return takesNull(referred(root, schema.$ref), root, depth + 1);
  if ("const" in schema) return schema.const === null;
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants)) return variants.some((each) => takesNull(each, root, depth + 1));
  const { type } = schema;
  return type === undefined || type === "null" || (Array.isArray(type) && type.includes("null"));
}

function isOptional({ required }: Schema, name: string): boolean {
  return !Array.isArray(required) || !required.includes(name);
}

function literals(values: unknown[]): Schema {
  return values.length > 0 && values.every(isLiteral) ? { enum: values } : anything;
}

function text({ format, minLength, maxLength }: Schema): Schema {
  if (typeof format === "string" && FORMATS.has(format)) return { type: "string", format };
  return {
    type: "string",
    ...(isFewRepeats(minLength) && { minLength }),
    ...(isFewRepeats(maxLength) && { maxLength }),
  };
}

function isFewRepeats(count: unknown): boolean {
  return typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MAX_REPEAT;
}

/** Only within the document. */
function referred(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  let found = root;
  for (const part of reference.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isSchema(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

function isLiteral(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
