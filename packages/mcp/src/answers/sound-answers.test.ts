// A server with odd answers, over its real connection: each entry and each part is judged by itself.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sample } from "@harness/testkit";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { fixture, options, startedPool, type TestPool } from "../../test/pool.ts";

const place = mkdtempSync(join(tmpdir(), "odd-server-"));
const open: TestPool[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ pool }) => pool.close()));
});
afterAll(() => rmSync(place, { recursive: true }));

async function started(answers: Record<string, unknown>) {
  const file = join(place, "answers.json");
  writeFileSync(file, JSON.stringify(answers));
  const test = await startedPool(fixture("odd-server.ts", [file]));
  open.push(test);
  const [view] = test.pool.servers();
  if (!view) throw new Error("no server");
  return { pool: test.pool, view };
}

const object = { type: "object", properties: { who: { type: "string" } } };
const good = { name: "good", description: "Says hello", inputSchema: object };

describe("a tool of a list", () => {
  it.each(
    sample<[string, Record<string, unknown>, object]>(
      [
        [
          "has a choice at the root of its schema",
          { inputSchema: { anyOf: [object, object] } },
          { anyOf: [object, object] },
        ],
        [
          "has a reference at the root",
          { inputSchema: { $ref: "#/$defs/a", $defs: { a: object } } },
          { $ref: "#/$defs/a" },
        ],
        ["has an empty schema", { inputSchema: {} }, {}],
        ["has no schema", {}, {}],
        ["has null for a schema", { inputSchema: null }, {}],
        ["has null for the type of its schema", { inputSchema: { ...object, type: null } }, object],
        ["may take an object or nothing", { inputSchema: { ...object, type: ["object", "null"] } }, object],
        ["requires in the words of an old draft", { inputSchema: { ...object, required: true } }, object],
        ["has null for properties", { inputSchema: { type: "object", properties: null } }, {}],
        ["has a result of no type", { inputSchema: object, outputSchema: { properties: {} } }, object],
        ["has an odd result", { inputSchema: object, outputSchema: [] }, object],
        ["has a number for a description", { inputSchema: object, description: 7 }, object],
        ["has odd hints", { inputSchema: object, annotations: { readOnlyHint: "yes", title: 3 } }, object],
        ["has odd icons and meta", { inputSchema: object, icons: "x", _meta: null, execution: 1 }, object],
      ],
      4,
    ),
  )("that %s is used", async (_, odd, schema) => {
    const { view } = await started({ "tools/list": { tools: [{ name: "odd", ...odd }, good] } });
    expect([view.state, view.notes]).toEqual(["ready", []]);
    expect(view.tools.map(({ name }) => name)).toEqual(["good", "odd"]);
    expect(view.tools[1]?.inputSchema).toMatchObject({ type: "object", ...schema });
  });

  it.each(
    sample<[string, unknown, string]>(
      [
        [
          "has a text for a schema",
          { name: "odd", inputSchema: "none" },
          'The tool "odd" is left out: its schema is not a JSON object.',
        ],
        [
          "has a number for a schema",
          { name: "odd", inputSchema: 5 },
          'The tool "odd" is left out: its schema is not a JSON object.',
        ],
        [
          "has a list for a schema",
          { name: "odd", inputSchema: [] },
          'The tool "odd" is left out: its schema is not a JSON object.',
        ],
        [
          "takes no object",
          { name: "odd", inputSchema: { type: "string" } },
          'The tool "odd" is left out: its schema is not one of an object, which the arguments of a tool are.',
        ],
        [
          "has a list of properties",
          { name: "odd", inputSchema: { type: "object", properties: [1] } },
          'The tool "odd" is left out: the properties of its schema are not an object.',
        ],
        [
          "has a number for a name",
          { name: 5, inputSchema: object },
          'The tool "5" is left out: its name is not a text.',
        ],
        ["has no name", { inputSchema: object }, "The tool number 1 is left out: its name is not a text."],
        ["is a text", "odd", "The tool number 1 is left out: it is not an object."],
        ["is null", null, "The tool number 1 is left out: it is not an object."],
      ],
      3,
    ),
  )("that %s costs a sentence, and the others stay", async (_, odd, note) => {
    const { view } = await started({ "tools/list": { tools: [odd, good] } });
    expect([view.state, view.notes]).toEqual(["ready", [note]]);
    expect(view.tools.map(({ name }) => name)).toEqual(["good"]);
  });
});

it("a list that is none, and a cursor that leads nowhere, take nothing else away", async () => {
  const { view } = await started({
    "tools/list": { tools: [good], nextCursor: null, _meta: null },
    "prompts/list": { prompts: null },
    "resources/list": { resources: { a: 1 } },
  });
  expect(view.tools).toHaveLength(1);
  expect(view.notes).toEqual(["Its resources are not a list and are left out."]);
});

it("prompts, resources and templates are judged one by one as well", async () => {
  const { view } = await started({
    "tools/list": { tools: [good] },
    "prompts/list": {
      prompts: [
        { name: "fine", arguments: [{ name: "who", required: "yes" }], description: null },
        { name: "odd", arguments: "who" },
        { name: "nameless", arguments: [{ description: "x" }] },
        { title: "no name" },
      ],
    },
    "resources/list": { resources: [{ uri: "a:1" }, { name: "nowhere" }, { uri: "a:2", name: "two", size: "9" }] },
    "resources/templates/list": { resourceTemplates: [{ uriTemplate: "a:{x}", name: 4 }, {}] },
  });
  expect(view.prompts).toEqual([
    { name: "fine", description: "", arguments: [{ name: "who", description: "", required: false }] },
  ]);
  expect(view.resources.map(({ uri, name }) => [uri, name])).toEqual([
    ["a:1", "a:1"],
    ["a:2", "two"],
  ]);
  expect(view.templates.map(({ uriTemplate }) => uriTemplate)).toEqual(["a:{x}"]);
  expect(view.notes).toEqual([
    'The prompt "odd" is left out: its arguments are not a list.',
    'The prompt "nameless" is left out: an argument has no name.',
    "The prompt number 4 is left out: its name is not a text.",
    'The resource "nowhere" is left out: it has no uri.',
    "The resource template number 2 is left out: it has no uriTemplate.",
  ]);
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const words = { type: "text", text: "the words" };

describe("a part of a result", () => {
  it.each(
    sample<[string, unknown, string]>(
      [
        [
          "of an unknown type",
          { type: "chart", data: [1] },
          '[A part of the answer could not be read: harness does not know the type "chart".]',
        ],
        ["of a type that is not text", { type: 5 }, "harness does not know the type"],
        ["of an unknown type with words", { type: "markdown", text: "# More" }, "# More"],
        ["that is only words", "more words", "more words"],
        ["that is null", null, "could not be read: not an object"],
        [
          "that is a picture with no data",
          { type: "image", mimeType: "image/png" },
          "the data of the image is not base64",
        ],
        [
          "that is a picture of no base64",
          { type: "image", mimeType: "image/png", data: "<html>" },
          "the data of the image is not base64",
        ],
        ["that is a resource without content", { type: "resource", resource: { uri: "a:1" } }, "neither text nor data"],
        ["that is a link to nowhere", { type: "resource_link", name: "x" }, "a link without an address"],
        ["that is a text without words", { type: "text" }, "a text without words"],
      ],
      3,
    ),
  )("%s leaves the rest", async (_, odd, line) => {
    const { pool } = await started({ "tools/list": { tools: [good] }, "tools/call": { content: [words, odd] } });
    const outcome = await pool.callTool("fixture", "good", {}, options());
    expect(outcome.status).toBe("ok");
    expect(outcome.text.split("\n")).toEqual(["the words", expect.stringContaining(line)]);
  });

  it("may have odd details, or a picture in the form of an address", async () => {
    const picture = { type: "image", data: `data:image/png;base64,${PIXEL}` };
    const content = [{ ...words, annotations: { audience: "me" }, _meta: 1 }, picture];
    const { pool } = await started({ "tools/list": { tools: [good] }, "tools/call": { content, _meta: null } });
    const outcome = await pool.callTool("fixture", "good", {}, options());
    expect(outcome.text).toContain("the words");
    expect(outcome.images).toEqual([{ type: "image", mimeType: "image/png", data: PIXEL }]);
  });

  it.each(
    sample<[string, object, string]>(
      [
        ["is a text", { content: "plain" }, "plain"],
        ["is one part", { content: words }, "the words"],
        ["is missing beside structured content", { structuredContent: { a: 1 } }, '{"a":1}'],
        ["has a list for structured content", { content: [], structuredContent: [1, 2] }, "[1,2]"],
      ],
      2,
    ),
  )("may be all there is: content that %s", async (_, result, text) => {
    const { pool } = await started({ "tools/list": { tools: [good] }, "tools/call": result });
    expect(await pool.callTool("fixture", "good", {}, options())).toMatchObject({ status: "ok", text });
  });
});

it("the messages of a prompt and the pieces of a resource that cannot be read leave the others", async () => {
  const { pool } = await started({
    "tools/list": { tools: [] },
    "prompts/get": {
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: [words, { type: "chart" }] },
      ],
    },
    "resources/read": {
      contents: [
        { uri: "a:1", text: "one" },
        { uri: "a:1", blob: "<>" },
      ],
    },
  });
  const prompt = await pool.getPrompt("fixture", "p", {}, options());
  expect(prompt).toMatchObject({
    messages: [
      { role: "user", text: "Be kind." },
      { role: "user", text: "the words" },
      { role: "user", text: expect.stringContaining('does not know the type "chart"') },
    ],
  });
  const read = await pool.readResource("fixture", "a:1", options());
  expect(read).toMatchObject({
    pieces: [{ text: "one" }, { text: "[A piece of the resource could not be read: its data is not base64.]" }],
  });
});
