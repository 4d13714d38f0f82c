import { describe, expect, it } from "vitest";
import { grammarSchema, withoutNullFillers } from "./grammar-schema.ts";

const anything = grammarSchema(true);
const orNull = (schema: unknown) => ({ oneOf: [schema, { type: "null" }] });

describe("heldSchema", () => {
  it.each<[string, unknown, unknown]>([
    ["an open value", {}, anything],
    ["a literal", { const: 3 }, { const: 3 }],
    ["a choice", { enum: ["a", 1, null] }, { enum: ["a", 1, null] }],
    ["a choice among objects", { enum: [{}] }, anything],
    ["several simple types", { type: ["string", "null"] }, { type: ["string", "null"] }],
    [
      "a text with limits",
      { type: "string", minLength: 1, maxLength: 9 },
      { type: "string", minLength: 1, maxLength: 9 },
    ],
    ["a text whose limit would make a huge grammar", { type: "string", maxLength: 10_000 }, { type: "string" }],
    ["a date", { type: "string", format: "date" }, { type: "string", format: "date" }],
    ["an address", { type: "string", format: "uri", pattern: "^h" }, { type: "string" }],
    [
      "a list",
      { type: "array", items: { type: "integer" }, minItems: 1 },
      { type: "array", items: { type: "integer" }, minItems: 1 },
    ],
    ["variants", { anyOf: [{ type: "string" }, { const: 1 }] }, { oneOf: [{ type: "string" }, { const: 1 }] }],
    ["no variant", { anyOf: [] }, anything],
    ["one of one", { allOf: [{ type: "boolean" }] }, { type: "boolean" }],
    ["all of several", { allOf: [{ type: "object" }, {}] }, anything],
    ["an open object", { type: "object" }, { type: "object", additionalProperties: true }],
    ["an empty object", { type: "object", properties: {}, additionalProperties: false }, { type: "object" }],
    [
      "a dictionary",
      { type: "object", additionalProperties: { type: "string" } },
      { type: "object", additionalProperties: { type: "string" } },
    ],
    ["an unknown type", { type: "spaceship" }, anything],
    ["no schema at all", "x", anything],
  ])("%s", (_, schema, held) => expect(grammarSchema(schema)).toEqual(held));

  it("makes optional properties nullable, and keeps their descriptions", () => {
    const schema = {
      type: "object",
      properties: {
        path: { type: "string", description: "The file." },
        limit: { type: "integer", description: "Lines." },
      },
      required: ["path"],
    };
    expect(grammarSchema(schema)).toEqual({
      type: "object",
      properties: {
        path: { type: "string", description: "The file." },
        limit: orNull({ type: "integer", description: "Lines." }),
      },
    });
  });

  it("follows references inside the document only, and not without end", () => {
    const tree = { type: "array", items: { $ref: "#/$defs/tree" } };
    const held = JSON.stringify(grammarSchema({ $ref: "#/$defs/tree", $defs: { tree } }));
    expect(held.length).toBeLessThan(2_000);
    expect(grammarSchema({ $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "null" } } })).toEqual({ type: "null" });
    for (const $ref of ["https://example.org/x", "#/constructor", "#/$defs/none", "#"]) {
      expect(grammarSchema({ $ref }), $ref).toEqual(anything);
    }
    // Each of its forty properties is the whole again.
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, { $ref: "#/$defs/wide" }]));
    const wide = { type: "object", properties };
    expect(JSON.stringify(grammarSchema({ ...wide, $defs: { wide } })).length).toBeLessThan(1_000_000);
  });
});

describe("withoutFillers", () => {
  const schema = {
    type: "object",
    properties: {
      path: { type: "string" },
      limit: { type: "integer" },
      parent: { type: ["string", "null"] },
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
      edits: { type: "array", items: { $ref: "#/$defs/edit" } },
      variant: {
        anyOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { type: "object", properties: { b: { type: "string" }, c: { type: "string" } }, required: ["b"] },
        ],
      },
      any: {},
    },
    required: ["path", "edits"],
    $defs: {
      edit: { type: "object", properties: { old: { type: "string" }, all: { type: "boolean" } }, required: ["old"] },
    },
  };

  it("removes nulls that stand for an absent value, and keeps meaningful ones", () => {
    const value = {
      path: "x",
      limit: null,
      parent: null,
      either: null,
      edits: [
        { old: "1", all: null },
        { old: "2", all: true },
      ],
      variant: { b: "x", c: null },
      any: null,
    };
    expect(withoutNullFillers(value, schema)).toEqual({
      path: "x",
      parent: null,
      either: null,
      edits: [{ old: "1" }, { old: "2", all: true }],
      variant: { b: "x" },
      any: null,
    });
  });

  it("keeps required values, and values without a schema", () => {
    expect(withoutNullFillers({ path: null, edits: null, other: { x: null } }, schema)).toEqual({
      path: null,
      edits: null,
      other: { x: null },
    });
    expect(withoutNullFillers({ a: null }, undefined)).toEqual({ a: null });
    expect(withoutNullFillers(null, schema)).toBeNull();
  });
});
