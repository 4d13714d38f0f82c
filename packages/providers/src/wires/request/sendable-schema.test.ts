import { describe, expect, it } from "vitest";
import { sendableSchema } from "./sendable-schema.ts";

const text = { type: "string" };
const number = { type: "number" };
const object = (properties: object, required?: string[]) => ({
  type: "object",
  properties,
  ...(required && { required }),
});

describe("the schema of a tool", () => {
  it("is sent as it is where all servers take it", () => {
    const plain = object({ a: text, b: { anyOf: [text, number] }, c: { $ref: "#/$defs/c" } }, ["a"]);
    const schema = { ...plain, $defs: { c: text } };
    expect(sendableSchema(schema)).toBe(schema);
  });

  it.each([
    ["nothing", {}, { type: "object" }],
    [
      "a choice beside its properties",
      { ...object({ a: text, b: text }), oneOf: [{ required: ["a"] }, { required: ["b"] }] },
      object({ a: text, b: text }),
    ],
    [
      "a choice between objects",
      { anyOf: [object({ a: text, k: text }, ["a", "k"]), object({ b: number, k: text }, ["k"])] },
      object({ a: text, k: text, b: number }, ["k"]),
    ],
    [
      "parts that must all hold",
      { allOf: [object({ a: text }, ["a"]), { $ref: "#/$defs/more" }], $defs: { more: object({ b: text }, ["b"]) } },
      { ...object({ a: text, b: text }, ["a", "b"]), $defs: { more: object({ b: text }, ["b"]) } },
    ],
    [
      "a reference at its root",
      { $ref: "#/definitions/args", definitions: { args: object({ a: text }, ["a"]) } },
      { ...object({ a: text }, ["a"]), definitions: { args: object({ a: text }, ["a"]) } },
    ],
    [
      "conditions",
      { ...object({ a: text }), if: { required: ["a"] }, else: { required: ["b"] }, not: {} },
      object({ a: text }),
    ],
    [
      "references to nothing",
      object({ a: { $ref: "#/$defs/gone", description: "A." }, b: { type: "array", items: { $ref: "x.json" } } }),
      object({ a: { description: "A." }, b: { type: "array", items: {} } }),
    ],
    ["a type that is none of an object", { type: ["object", "null"], properties: { a: text } }, object({ a: text })],
  ])("is made that of one object: %s", (_name, schema, expected) => {
    expect(sendableSchema(schema)).toEqual(expected);
    const root = Object.keys(sendableSchema(schema));
    expect(root.filter((key) => /Of$|^not$|^if$|^\$ref$/.test(key))).toEqual([]);
    expect(sendableSchema(sendableSchema(schema))).toEqual(expected);
  });

  it("keeps references that lead in circles", () => {
    const schema = { ...object({ next: { $ref: "#" }, to: { $ref: "#/$defs/a~1b" } }), $defs: { "a/b": text } };
    expect(sendableSchema(schema)).toBe(schema);
  });
});
