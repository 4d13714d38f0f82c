import { type Input, isInput } from "../../../tools/argument-names.ts";

/** Schemas that refer to themselves in many ways could take hours to check. */
const MAX_EXPANDED = 20_000;

/** Keywords whose values are schemas by name. */
const BY_NAME = ["properties", "$defs", "definitions", "dependentSchemas"];
/** Keywords whose values are data. */
const DATA = ["enum", "const", "default", "examples"];
/** A hostile pattern could take hours, and formats differ between programs: the tool itself checks both. */
const LEFT_OUT = ["pattern", "format", "patternProperties"];

/** The part of a JSON Schema that can be checked quickly, whatever it contains; undefined if there is none. */
export function checkableSchema(schema: Input): Input | undefined {
  const checkable = withoutSlow(schema) as Input;
  return expandedSize(checkable) > MAX_EXPANDED ? undefined : checkable;
}

function withoutSlow(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutSlow);
  if (!isInput(schema)) return schema;
  // Without the patterns it is unknown which properties are additional ones.
  const isOpen = schema.patternProperties !== undefined;
  const kept = Object.entries(schema).filter(
    ([key]) => !LEFT_OUT.includes(key) && !(isOpen && /^(?:additional|unevaluated)Properties$/.test(key)),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (DATA.includes(key)) return [key, value];
      if (BY_NAME.includes(key) && isInput(value))
        return [key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSlow(each)]))];
      return [key, withoutSlow(value)];
    }),
  );
}

/** How many schemas a value may be checked against, with each reference replaced by its target. */
function expandedSize(root: Input): number {
  const sizes = new Map<unknown, number>();
  const sizeOf = (node: unknown): number => {
    if (typeof node !== "object" || node === null) return 0;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    // For a schema that contains itself, one round counts: the depth of the arguments is limited.
    sizes.set(node, 1);
    let size = 1;
    for (const [key, value] of Object.entries(node)) {
      if (key === "$ref" && typeof value === "string") size += sizeOf(targetOf(root, value));
      else if (!DATA.includes(key)) size += sizeOf(value);
    }
    sizes.set(node, size);
    return size;
  };
  return sizeOf(root);
}

function targetOf(root: Input, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let node: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    node =
      typeof node === "object" && node !== null && Object.hasOwn(node, key)
        ? node[key as keyof typeof node]
        : undefined;
  }
  return node;
}
