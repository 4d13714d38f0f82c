import * as z from "zod";

type Json = Record<string, unknown>;

/** JSON Schema 2020-12 of the input form on the wire. */
export function schemaOf(type: z.ZodType): Json {
  return z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Json;
}

/** Fields of an object schema in short form: `name?: type`. */
export function fields(schema: z.ZodType): string {
  const { properties, required, anyOf, oneOf } = schemaOf(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
    anyOf?: Json[];
    oneOf?: Json[];
  };
  if (!properties) return anyOf || oneOf ? "one of several forms, see the schema" : "–";
  const names = Object.entries(properties).map(([name, property]) => {
    const type = Array.isArray(property.enum) ? property.enum.join("\\|") : (property.type ?? "");
    return `\`${name}${required?.includes(name) ? "" : "?"}\`${type ? ` ${type}` : ""}`;
  });
  return names.length === 0 ? "–" : names.join(", ");
}
