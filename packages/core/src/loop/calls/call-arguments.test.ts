import type { ToolCategory } from "@harness/gate";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool, type Tool, type ToolAlias } from "../../ports/tool.ts";
import { callArguments } from "./call-arguments.ts";

function toolWith(args: z.ZodType, category: ToolCategory = "readOnly"): Tool {
  return defineTool({
    name: "probe",
    description: "",
    args: args as z.ZodType<unknown>,
    category,
    effects: () => [],
    title: () => "probe",
    run: async () => ({ status: "ok", text: "", blocks: [] }),
  });
}

const args = z.object({
  file_path: z.string(),
  limit: z.number().int().min(1).optional(),
  ratio: z.number().optional(),
  deep: z.boolean().optional(),
  names: z.array(z.string()).optional(),
  counts: z.array(z.number()).optional(),
  mode: z.enum(["fast", "slow"]).optional(),
  options: z.object({ depth: z.number(), tags: z.array(z.string()).optional() }).optional(),
  note: z.string().nullable().optional(),
  either: z.union([z.number(), z.array(z.string())]).optional(),
});
const reader = toolWith(args);
const writer = toolWith(args, "destructive");
const path = { file_path: "a" };

describe("arguments that are taken", () => {
  const rows: [name: string, input: Record<string, unknown>, taken: Record<string, unknown>][] = [
    ["as they are", { file_path: "a", limit: 3 }, { file_path: "a", limit: 3 }],
    ["a whole number in a string", { ...path, limit: "5" }, { ...path, limit: 5 }],
    ["a number with blanks around it", { ...path, limit: " 5 " }, { ...path, limit: 5 }],
    ["a fraction in a string", { ...path, ratio: "0.5" }, { ...path, ratio: 0.5 }],
    ["a negative number in a string", { ...path, ratio: "-2" }, { ...path, ratio: -2 }],
    ["true in a string", { ...path, deep: "true" }, { ...path, deep: true }],
    ["False in a string", { ...path, deep: "False" }, { ...path, deep: false }],
    ["a number where text is wanted", { file_path: 42 }, { file_path: "42" }],
    ["null for something optional", { ...path, limit: null }, path],
    ["null where null is allowed", { ...path, note: null }, { ...path, note: null }],
    ["one value for a list", { ...path, names: "x" }, { ...path, names: ["x"] }],
    ["a list in a string", { ...path, names: '["x","y"]' }, { ...path, names: ["x", "y"] }],
    ["text that only looks like a list", { ...path, names: "[x" }, { ...path, names: ["[x"] }],
    ["numbers in strings in a list", { ...path, counts: ["1", 2] }, { ...path, counts: [1, 2] }],
    ["an object in a string", { ...path, options: '{"depth":1}' }, { ...path, options: { depth: 1 } }],
    ["strings inside an object", { ...path, options: { depth: "1" } }, { ...path, options: { depth: 1 } }],
    [
      "one value for a list inside an object",
      { ...path, options: { depth: 1, tags: "t" } },
      { ...path, options: { depth: 1, tags: ["t"] } },
    ],
    ["the first branch of a union that fits", { ...path, either: "7" }, { ...path, either: 7 }],
    ["a later branch of a union", { ...path, either: ["7"] }, { ...path, either: ["7"] }],
    ["a key in camel case", { filePath: "a" }, path],
    ["a key in capitals with a dash", { "File-Path": "a" }, path],
    ["text that happens to be a number", { file_path: "007" }, { file_path: "007" }],
    ["text that happens to be JSON", { file_path: '{"a":1}' }, { file_path: '{"a":1}' }],
    ["an empty string", { file_path: "" }, { file_path: "" }],
  ];
  it.each(rows)("arguments that are taken: %s", (_name, input, taken) => {
    expect(callArguments({ input }, reader)).toMatchObject({ args: taken, notes: [] });
  });

  it.each([1.5, 12_345_678_901_234_567_000, Number.MAX_SAFE_INTEGER + 3])(
    "arguments take no number %d for text",
    (file_path) => {
      expect(callArguments({ input: { file_path } }, reader)).toEqual({
        problem: expect.stringContaining(`- file_path: expected a string, received ${file_path}.`),
        shown: "file_path is not a string",
      });
    },
  );

  const texts: [name: string, inputText: string][] = [
    ["JSON that came as text", '{"file_path":"a"}'],
    ["JSON in a JSON string", '"{\\"file_path\\":\\"a\\"}"'],
    ["JSON in a fence", '```json\n{"file_path":"a"}\n```'],
    ["a list with the one object in it", '[{"file_path":"a"}]'],
    ["a byte order mark before it", '\ufeff{"file_path":"a"}'],
    ["row 20: JSON with a comma too many", '{"file_path":"a",}'],
    ["row 20: a fenced string of JSON with a comma too many", '```\n"{\\"file_path\\":\\"a\\" , }"\n```'],
  ];
  it.each(texts)("arguments that are taken: %s", (_name, inputText) => {
    expect(callArguments({ inputText }, reader)).toMatchObject({ args: path, notes: [] });
  });

  it("arguments may be empty for a tool that needs none", () => {
    expect(callArguments({ inputText: "" }, toolWith(z.object({})))).toMatchObject({ args: {}, notes: [] });
    expect(callArguments({}, toolWith(z.object({})))).toMatchObject({ args: {}, notes: [] });
  });

  it("arguments of a reading tool go without unknown keys, and a note says so", () => {
    const ignored = ["Ignored unknown arguments: colour."];
    expect(callArguments({ input: { ...path, colour: "red" } }, reader)).toEqual({
      args: path,
      notes: ignored,
      repairs: ["unknown `colour` was left out"],
    });
    expect(callArguments({ input: { a: 1, b: 2 } }, toolWith(z.strictObject({ a: z.number() })))).toMatchObject({
      args: { a: 1 },
    });
  });

  it.each<["destructive" | "signal", string, unknown]>([
    ["destructive", "only", null],
    ["destructive", "exclude", []],
    ["signal", "title", 3],
    ["signal", "priority", "high"],
    ["signal", "urgent", true],
  ])("arguments of a %s tool go without %s: %j, and a note says so", (category, name, value) => {
    const note = `Ignored unknown arguments: ${name}.`;
    const taken = callArguments({ input: { ...path, [name]: value } }, toolWith(args, category));
    expect(taken).toEqual({ args: path, notes: [note], repairs: [`unknown \`${name}\` was left out`] });
  });

  it.each<["readOnly" | "destructive" | "signal", string]>([
    ["readOnly", "description"],
    ["destructive", "description"],
    ["destructive", "explanation"],
    ["destructive", "toolDescription"],
    ["signal", "reason"],
  ])("arguments of a %s tool go without %s, which only people read, and that is no repair", (category, name) => {
    const taken = callArguments({ input: { ...path, [name]: "Writes the file" } }, toolWith(args, category));
    expect(taken).toEqual({ args: path, notes: [`Ignored unknown arguments: ${name}.`], repairs: [] });
  });

  it("names only the others among words for people", () => {
    const input = { ...path, description: "Reads it", colour: "red" };
    expect(callArguments({ input }, reader)).toMatchObject({ repairs: ["unknown `colour` was left out"] });
  });

  it("arguments inside arguments are treated in the same way", () => {
    const items = z.strictObject({ items: z.array(z.strictObject({ old: z.string(), new: z.string() })) });
    const tool = toolWith(items, "destructive");
    const item = { old: "a", new: "b" };
    expect(callArguments({ input: { items: [item, { ...item, description: "why" }] } }, tool)).toMatchObject({
      args: { items: [item, item] },
      notes: ["Ignored unknown arguments: description."],
    });
    expect(callArguments({ input: { items: [{ ...item, all: true, description: "why" }] } }, tool)).toMatchObject({
      problem: expect.stringContaining("- items.0: has no argument `all`."),
      shown: "no argument items.0.all",
    });
  });

  it("arguments keep all keys of a tool that takes any", () => {
    expect(callArguments({ input: { x: 1 } }, toolWith(z.looseObject({}), "destructive"))).toEqual({
      args: { x: 1 },
      notes: [],
      repairs: [],
    });
  });

  it("a key called __proto__ in arguments does no harm", () => {
    const input = JSON.parse('{"file_path":"a","__proto__":{"limit":3}}') as Record<string, unknown>;
    const taken = callArguments({ input }, reader);
    expect(taken).toMatchObject({ args: path });
    expect("args" in taken && (taken.args as { limit?: number }).limit).toBe(undefined);
  });

  it("arguments of another harness are turned into ours first", () => {
    const alias: ToolAlias = {
      name: "open",
      tool: "probe",
      convert: ({ file, ...rest }) => ({ file_path: file, ...rest }),
    };
    expect(callArguments({ input: { file: "a", limit: "2" } }, reader, alias)).toEqual({
      args: { ...path, limit: 2 },
      notes: [],
      repairs: ["the type of `limit` was converted"],
    });
  });
});

describe("arguments of a name that the model knows", () => {
  const form = { ...toolWith(z.strictObject({ count: z.int().optional() }), "destructive"), name: "list" };
  const alias: ToolAlias = {
    name: "list",
    tool: "probe",
    form,
    convert: ({ count = 1 }) => ({ file_path: `${count}` }),
  };

  it("arguments of a name that the model knows are checked in its own terms, and repaired", () => {
    expect(callArguments({ input: { count: "3" } }, writer, alias)).toEqual({
      args: { file_path: "3" },
      notes: [],
      repairs: ["the type of `count` was converted"],
    });
    const refused = callArguments({ input: { file_path: "a" } }, writer, alias);
    expect(refused).toEqual({
      problem: expect.stringMatching(/^`list` has no argument `file_path`.*count\?: integer/),
      shown: "no argument file_path",
    });
  });
});

describe("repairs of arguments", () => {
  const rows: [name: string, call: Parameters<typeof callArguments>[0], repairs: string[]][] = [
    ["is nothing where nothing was", { input: { ...path, limit: 3, names: ["x"], options: { depth: 1 } } }, []],
    ["is nothing for plain JSON that came as text", { inputText: '{"file_path":"a"}' }, []],
    ["row 20: an empty string", { inputText: "" }, ["missing arguments were taken as none"]],
    ["row 20: a fence", { inputText: '```json\n{"file_path":"a"}\n```' }, ["text around the JSON was left out"]],
    ["row 20: encoded twice", { inputText: '"{\\"file_path\\":\\"a\\"}"' }, ["JSON inside a string was unpacked"]],
    ["row 20: a comma too many", { inputText: '{"file_path":"a",}' }, ["an extra comma was left out"]],
    ["a line end in a string", { inputText: '{"file_path":"a\nb"}' }, ["line breaks inside strings were escaped"]],
    ["a list", { inputText: '[{"file_path":"a"}]' }, ["the only object of a list was taken"]],
    ["row 21: types", { input: { ...path, limit: "5", deep: "true" } }, ["the type of `limit`, `deep` was converted"]],
    ["row 21: null", { input: { ...path, limit: null } }, ["null was left out"]],
    ["another spelling", { input: { filePath: "a" } }, ["the spelling of `file_path` was corrected"]],
    [
      "several things",
      { input: { filePath: "a", ratio: "2", limit: null, options: { depth: "1" } } },
      [
        "the spelling of `file_path` was corrected",
        "the type of `ratio`, `options` was converted",
        "null was left out",
      ],
    ],
  ];
  it.each(rows)("repairs of arguments: %s", (_name, call, repairs) => {
    const tool = call.inputText === "" ? toolWith(z.object({})) : reader;
    expect(callArguments(call, tool)).toMatchObject({ repairs });
  });
});

describe("arguments that are not taken", () => {
  const rows: [name: string, input: Record<string, unknown>, says: string[]][] = [
    ["nothing for what is required", {}, ["file_path: a string is required, but nothing was sent"]],
    ["null for what is required", { file_path: null }, ["file_path: expected a string, received null"]],
    ["a fraction for a whole number", { ...path, limit: 1.5 }, ["limit: expected a whole number, received 1.5"]],
    ["a fraction in a string for a whole number", { ...path, limit: "1.5" }, ["limit", "a number", '"1.5"']],
    ["words for a number", { ...path, ratio: "many" }, ["ratio: expected a number", '"many"']],
    ["a number too small", { ...path, limit: 0 }, ["limit: expected a value of at least 1, received 0"]],
    ["another choice", { ...path, mode: "medium" }, ['mode: expected one of "fast", "slow", received "medium"']],
    ["yes for true", { ...path, deep: "yes" }, ["deep: expected a boolean", '"yes"']],
    ["an object for text", { file_path: { a: 1 } }, ["file_path: expected a string", '{"a":1}']],
    ["a field missing inside an object", { ...path, options: {} }, ["options.depth: a number is required"]],
    ["true for text", { file_path: true }, ["file_path: expected a string", "true"]],
  ];
  it.each(rows)("arguments that are not taken: %s", (_name, input, says) => {
    const read = callArguments({ input }, reader);
    const problem = "problem" in read ? read.problem : "";
    for (const words of says) expect(problem).toContain(words);
    expect(problem).toContain("it did not run");
    expect(problem).toContain("It takes: file_path: string, limit?: integer");
    expect(problem.endsWith('For example {"file_path":"…"}.')).toBe(true);
  });

  it("null in their place is none at all, so that what is missing is named", () => {
    const read = callArguments({ inputText: "null" }, reader);
    expect(read).toMatchObject({ problem: expect.stringContaining("file_path: a string is required") });
    const none = toolWith(z.object({}));
    expect(callArguments({ inputText: "null" }, none)).toMatchObject({ args: {} });
  });

  it("a refusal of arguments quotes at most 200 characters", () => {
    const read = callArguments({ input: { file_path: ["x".repeat(5_000)] } }, reader);
    expect("problem" in read && read.problem.length).toBeLessThan(700);
  });

  it("row 22: a refusal of arguments gives a valid example, whatever is required", () => {
    const schema = z.strictObject({
      text: z.string(),
      count: z.int(),
      deep: z.boolean(),
      mode: z.enum(["fast", "slow"]),
      names: z.array(z.string()),
      options: z.object({ depth: z.number(), tag: z.string().optional() }),
      either: z.union([z.number(), z.string()]),
      more: z.string().optional(),
    });
    const tool = toolWith(schema);
    const read = callArguments({ input: {} }, tool);
    const [, example] = /For example (.+)\.$/.exec("problem" in read ? read.problem : "") ?? [];
    expect(example).toBe(
      '{"text":"…","count":1,"deep":true,"mode":"fast","names":["…"],"options":{"depth":1},"either":1}',
    );
    expect(callArguments({ inputText: example ?? "" }, tool)).toMatchObject({ repairs: [] });
  });

  it.each<[name: string, value: unknown]>([
    ["force", true],
    ["force", false],
    ["dry_run", true],
    ["preview", true],
    ["only", "src"],
    ["append", true],
    ["encoding", "latin1"],
    ["file", "b"],
    ["limmit", 3],
    ["note_text", "b"],
    ["description", { a: 1 }],
  ])("a changing tool refuses the unknown argument %s: %j", (name, value) => {
    const read = callArguments({ input: { ...path, [name]: value } }, writer);
    expect(read).toMatchObject({
      problem: expect.stringContaining(`\`probe\` has no argument \`${name}\`; it did not run. It takes: file_path`),
      shown: `no argument ${name}`,
    });
  });

  it.each([
    ["dangerouslyDisableSandbox", true],
    ["outside_sandbox", true],
    ["bypass_permissions", false],
  ])("a wish for more rights is left out, and said: %s: %j", (name, value) => {
    const read = callArguments({ input: { ...path, [name]: value } }, writer);
    expect(read).toMatchObject({ args: path, notes: [`Ignored unknown arguments: ${name}.`] });
  });

  it("the arguments of a call that is refused for one more come with it, for its title", () => {
    const refused = { ...path, force: true };
    expect(callArguments({ input: refused }, writer)).toMatchObject({ shown: "no argument force", args: path });
    const broken = callArguments({ input: { file_path: true, force: true } }, writer);
    expect(broken).not.toHaveProperty("args");
  });

  it.each(["paths", "max_turns", "isolation", "allowedTools", "dryRun", "file"])(
    "a tool of the session refuses the unknown argument %s, which would limit it",
    (name) => {
      const tool = toolWith(args, "signal");
      expect(callArguments({ input: { ...path, [name]: false } }, tool)).toMatchObject({
        shown: `no argument ${name}`,
      });
    },
  );

  it("a call that changes things refuses them, whatever its tool does mostly", () => {
    const tool: Tool = { ...toolWith(z.strictObject({ id: z.string() })), categoryOf: () => "destructive" };
    expect(callArguments({ input: { id: "a", signal: "TERM" } }, tool)).toMatchObject({ shown: "no argument signal" });
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, "missing file_path"],
    [{ file_path: true }, "file_path is not a string"],
    [{ ...path, mode: "medium" }, 'mode is not one of "fast", "slow"'],
    [{ ...path, options: {} }, "missing options.depth"],
  ])("the first reason is said to people in a few words: %j", (input, shown) => {
    expect(callArguments({ input }, reader)).toMatchObject({ shown });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["two values under two spellings", { file_path: "a", filePath: "b" }, "`filePath`"],
    ["a number for text", { file_path: 42 }, "file_path: expected a string, received 42"],
    ["a list for text", { file_path: ["a", "b"] }, 'file_path: expected a string, received ["a","b"]'],
    ["a list of one for text", { file_path: ["a"] }, 'file_path: expected a string, received ["a"]'],
  ])("a changing tool refuses %s in arguments", (_name, input, says) => {
    expect(callArguments({ input }, writer)).toMatchObject({ problem: expect.stringContaining(says) });
  });

  it("two spellings with one value are one argument", () => {
    expect(callArguments({ input: { file_path: "a", filePath: "a" } }, writer)).toMatchObject({ args: path });
  });

  it("an empty text where something is required is named", () => {
    const tool = toolWith(z.object({ file_path: z.string().min(1) }), "destructive");
    expect(callArguments({ input: { file_path: "" } }, tool)).toMatchObject({
      problem: expect.stringContaining("- file_path: is empty."),
    });
  });

  const cut: [name: string, inputText: string][] = [
    ["inside a string", '{"file_path":"a'],
    ["after a comma", '{"file_path":"a",'],
    ["inside an escape", '{"file_path":"a\\'],
    ["inside a list", '{"names":["a"'],
  ];
  it.each(cut)("arguments that stop %s are never completed", (_name, inputText) => {
    const read = callArguments({ inputText }, writer);
    expect(read).toEqual({ problem: expect.stringContaining(`end after ${inputText.length} characters`) });
    // A server that loses data does not mean the calls are too long.
    expect(read).not.toEqual({ problem: expect.stringContaining("in parts") });
  });

  it("long arguments that end early are to be sent again, and in parts only where that happens twice", () => {
    const read = callArguments({ inputText: `{"file_path":"${"a".repeat(9_000)}` }, writer);
    const says =
      /^Your call arrived incomplete: its arguments end after 9014 .* again\. If it ends early again, .* smaller/;
    expect(read).toEqual({ problem: expect.stringMatching(says) });
  });

  it.each([10, 9_000])("whole arguments with a mistake after %i characters are not called cut", (length) => {
    const code = `${"x".repeat(length)} = "1"; if (y) {`;
    const read = callArguments({ inputText: `{"file_path":"a","note":"${code}"}` }, writer);
    if (!("problem" in read)) throw new Error("It was taken.");
    expect(read.problem).toMatch(/not valid JSON/);
    expect(read.problem).not.toMatch(/cut|in parts|incomplete|smaller/);
    expect(read.problem).toContain(length < 150 ? '= \\"1\\"; if (y)' : 'x = "1"; if (y)');
  });

  const texts: [name: string, inputText: string, says: string][] = [
    ["no JSON", "file_path=a", "not valid JSON"],
    ["JSON with a comma instead of a value", '{"file_path":,}', "not valid JSON"],
    ["a number", "5", "one JSON object"],
    ["a list of two", '[{"file_path":"a"},{}]', "one JSON object"],
    ["a string", '"just words"', "not valid JSON"],
  ];
  it.each(texts)("arguments that are not taken: %s", (_name, inputText, says) => {
    expect(callArguments({ inputText }, reader)).toEqual({ problem: expect.stringContaining(says) });
  });
});
