// Tools with their own JSON Schema.
import { probeTool } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ToolForm } from "../../../ports/tool.ts";
import { callArguments } from "../../calls/call-arguments.ts";
import { toolSpec } from "../tool-spec.ts";
import { schemaArgs } from "./schema-args.ts";

const probe = probeTool("probe", () => ({ status: "ok", text: "x", blocks: [] }));

function toolWith(schema: unknown, form: Partial<ToolForm> = {}): ToolForm {
  const args = schemaArgs(schema);
  if ("problem" in args) throw new Error(args.problem);
  return { ...probe, ...form, ...args };
}

const weather = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    city: { type: "string", minLength: 2, description: "Where" },
    days: { type: "integer", minimum: 1, maximum: 7 },
    unit: { enum: ["C", "F"] },
    at: { $ref: "#/$defs/point" },
  },
  required: ["city"],
  additionalProperties: false,
  $defs: { point: { type: "object", properties: { lat: { type: "number" } }, required: ["lat"] } },
};

describe("a model's view of a tool with its own schema", () => {
  it("is the schema as it was given, without the name of its dialect", () => {
    const { $schema: _, ...told } = weather;
    expect(toolSpec(toolWith(weather)).inputSchema).toEqual(told);
    expect(toolSpec(toolWith({})).inputSchema).toEqual({ type: "object", properties: {} });
  });

  it("has no halves of characters, which the API of a model would refuse with every request of the session", () => {
    const properties = { "a\ud800": { description: "half \udc00", enum: ["b\0", "whole 😀"] } };
    expect(toolSpec(toolWith({ properties })).inputSchema).toEqual({
      type: "object",
      properties: { "a\ufffd": { description: "half \ufffd", enum: ["b", "whole 😀"] } },
    });
  });

  it("is cut to a limit", () => {
    const { description } = toolSpec(toolWith({}, { description: "b".repeat(5_000) }));
    expect(description.length).toBe(2_001);
  });

  it("has shorter descriptions of its arguments where the schema is too long", () => {
    const properties = { city: { type: "string", description: "x".repeat(20_000), title: "City" } };
    expect(toolSpec(toolWith({ properties })).inputSchema).toEqual({
      type: "object",
      properties: { city: { type: "string", description: "x".repeat(300) } },
    });
  });

  it.each([
    [[], "its schema is not a JSON object"],
    [{ type: "string" }, "its schema is not one of an object, which the arguments of a tool are"],
    [{ properties: { a: null } }, "its schema is not valid at properties.a"],
    [{ required: "a" }, "its schema is not valid at required"],
    [
      { properties: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`key_${n}`, {}])) },
      "its schema has 26922 characters, and 16000 are the limit",
    ],
    [
      Array.from({ length: 70 }).reduce((inner) => ({ properties: { a: inner } }), {}),
      "its schema is nested too deeply",
    ],
  ])("cannot be one that is not understood or too long (%#)", (schema, problem) => {
    expect(schemaArgs(schema)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe("the arguments of a call of such a tool", () => {
  const problemOf = (input: Record<string, unknown>, schema: unknown = weather) => {
    const read = callArguments({ input }, toolWith(schema, { category: "destructive" }));
    return "problem" in read ? read.problem : read.args;
  };

  it("are passed on as they are where they fit", () => {
    const input = { city: "Rome", days: 3, unit: "C", at: { lat: 1.5 } };
    expect(problemOf(input)).toEqual(input);
  });

  it("are repaired as those of any tool", () => {
    expect(problemOf({ City: "Rome", days: "3" })).toEqual({ city: "Rome", days: 3 });
  });

  it.each([
    [{}, "- city: a value is required, but nothing was sent."],
    [{ city: "Rome", days: 9 }, "- days: expected 9 is greater than 7., received 9."],
    [{ city: "Rome", unit: "K" }, '- unit: expected one of "C","F", received "K".'],
    [{ city: { name: "Rome" } }, '- city: expected type string, received {"name":"Rome"}.'],
    [{ city: "Rome", at: {} }, "- at.lat: a value is required, but nothing was sent."],
    [{ city: "Rome", wind: true }, "`probe` has no argument `wind`; it did not run."],
  ])("that do not fit are named with what was expected: %j", (input, sentence) => {
    expect(problemOf(input)).toContain(sentence);
  });

  it("may have names that the schema does not forbid", () => {
    expect(problemOf({ a: 1, b: 2 }, { properties: { a: {} } })).toEqual({ a: 1, b: 2 });
    expect(problemOf({ x_a: 1 }, { patternProperties: { "^x_": {} }, additionalProperties: false })).toEqual({
      x_a: 1,
    });
  });

  it.each([
    ["leads nowhere", { properties: { a: { $ref: "#/$defs/gone" } } }],
    ["leads to another server", { properties: { a: { $ref: "https://example.com/a.json" } } }],
    ["only refers to itself", { properties: { a: { $ref: "#/properties/a" } } }],
  ])("are left to the tool where a reference of the schema %s", (_name, schema) => {
    expect(problemOf({ a: 1 }, schema)).toEqual({ a: 1 });
  });

  it("are checked in no time, however hostile the schema is", () => {
    const doubled = (n: number) => ({ anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] });
    const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`d${n}`, doubled(n)]));
    expect(
      problemOf({ a: 1 }, { properties: { a: { $ref: "#/$defs/d0" } }, $defs: { ...$defs, d60: { not: {} } } }),
    ).toEqual({
      a: 1,
    });
    expect(problemOf({ a: `${"a".repeat(40)}!` }, { properties: { a: { pattern: "^(a+)+$" } } })).toEqual({
      a: `${"a".repeat(40)}!`,
    });
  });
});
