import { describe, expect, it } from "vitest";
import { toolName } from "../sources/tool-name.ts";
import { effectsOf, readEffects } from "./tool-effects.ts";
import { readToolSchema, toolNameProblem } from "./tool-schema.ts";

const schema = (over: object = {}) =>
  JSON.stringify({
    name: "weather",
    description: "Says how the weather is.",
    input_schema: { type: "object", properties: { city: { type: "string" }, files: {} } },
    ...over,
  });

describe("what an executable prints for --schema", () => {
  it("describes a tool, which asks as a command where it declares nothing", () => {
    expect(readToolSchema(schema(), "weather")).toMatchObject({
      description: "Says how the weather is.",
      category: "destructive",
      effects: undefined,
      inputSchema: { properties: { city: { type: "string" }, files: {} } },
    });
  });

  it("may declare a category, effects and a time limit", () => {
    const own = { category: "readOnly", effects: [{ kind: "read", argument: "city" }], timeoutMs: 5_000 };
    expect(readToolSchema(schema({ "x-harness": own }), "weather")).toMatchObject(own);
  });

  it.each(["inputSchema", "parameters"])("may call its arguments as other programs do: %s", (key) => {
    const read = readToolSchema(schema({ input_schema: undefined, [key]: { properties: { a: {} } } }), "weather");
    expect(read).toMatchObject({ inputSchema: { type: "object", properties: { a: {} } } });
  });

  it.each<[string, string]>([
    ["", "its --schema did not print a JSON object, but nothing"],
    ["usage: weather CITY", 'its --schema did not print a JSON object, but "usage: weather CITY"'],
    ['["weather"]', "its --schema did not print a JSON object"],
    [schema({ name: "storm" }), 'its --schema calls it "storm", but its file is called weather: use the same name'],
    [schema({ description: " " }), "its --schema has no description, which a model needs to choose it"],
    [schema({ input_schema: { type: "string" } }), "its schema is not one of an object"],
    [schema({ "x-harness": [] }), "its x-harness is not an object"],
    [
      schema({ "x-harness": { category: "signal" } }),
      "the category of its x-harness is not one of readOnly, destructive",
    ],
    [schema({ "x-harness": { timeoutMs: "5" } }), "the timeoutMs of its x-harness is not a number from 1 to 600000"],
    [schema({ "x-harness": { effects: {} } }), "the effects of its x-harness are not a list"],
    [
      schema({ "x-harness": { effects: [{ kind: "see", argument: "city" }] } }),
      "has no kind (read, write, run, reach, spend)",
    ],
    [
      schema({ "x-harness": { effects: [{ kind: "read", argument: "town" }] } }),
      "names the argument town, which it does not have",
    ],
    [schema({ "x-harness": { effects: [{ kind: "read" }] } }), "names neither one argument nor one value"],
  ])("that does not describe a tool is refused with a clause that says why (%#)", (printed, problem) => {
    expect(readToolSchema(printed, "weather")).toEqual({ problem: expect.stringContaining(problem) });
  });
});

it("a tool has the name of its file without an ending", () => {
  expect(["weather", "weather.py", "a.b.sh", ".sh"].map(toolName)).toEqual(["weather", "weather", "a.b", ".sh"]);
  expect(["weather", "Read-2_x"].map(toolNameProblem)).toEqual([undefined, undefined]);
  for (const name of ["", "2x", "a b", "ä", "a.b", "mcp__x__y", "x".repeat(65)])
    expect(toolNameProblem(name)).toBeDefined();
});

describe("the effects of a call", () => {
  const rows = readEffects(
    [
      { kind: "write", argument: "files" },
      { kind: "reach", value: "https://api.example.com/" },
    ],
    { files: {} },
  );
  if (typeof rows === "string") throw new Error(rows);

  it("are of the arguments that it names, and of what is always the same", () => {
    expect(effectsOf(rows, { files: "a/b" }, "/w")).toEqual([
      { kind: "write", path: "/w/a/b" },
      { kind: "reach", url: "https://api.example.com/" },
    ]);
    expect(effectsOf(rows, { files: ["/x", "../y"] }, "/w")?.slice(0, 2)).toEqual([
      { kind: "write", path: "/x" },
      { kind: "write", path: "/y" },
    ]);
  });

  it.each([[{}], [{ files: 1 }], [{ files: "" }], [{ files: ["a", null] }]])(
    "are unknown if such an argument is not text: %j",
    (args) => {
      expect(effectsOf(rows, args, "/w")).toBe(undefined);
    },
  );
});
