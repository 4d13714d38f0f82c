import type { ModelEvent, ModelMessage, ModelRequest, Provider } from "@harness/core";
import type { AgentPart, Stop } from "@harness/protocol";
import { endEvent, joinDeltas, talk } from "@harness/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tools } from "../../test/offered.ts";
import { callSchema } from "./constrained/call-schema.ts";
import { SayStream } from "./constrained/say-stream.ts";
import { constrainedRequest, withConstrainedCalls } from "./with-constrained-calls.ts";

const asked: ModelRequest[] = [];

async function hear(text: string, size = 3, stop: Stop = "end") {
  const provider: Provider = {
    id: "held",
    async *stream(sent): AsyncGenerator<ModelEvent> {
      asked.push(sent);
      for (let at = 0; at < text.length; at += size) yield { type: "text", text: text.slice(at, at + size) };
      yield { type: "end", parts: [{ type: "text", text }], stop };
    },
  };
  const messages: ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "Go." }] }];
  return talk(withConstrainedCalls(provider), { tools: [...tools], messages });
}

describe("callSchema", () => {
  it("constrains a reply to text and calls of the tools", () => {
    const read = tools.slice(0, 1);
    expect(callSchema(read)).toEqual({
      type: "object",
      properties: {
        say: { type: "string" },
        calls: {
          type: "array",
          items: {
            type: "object",
            properties: {
              tool: { const: "read", type: "string" },
              args: {
                type: "object",
                properties: { path: { type: "string" }, offset: { type: "integer" }, limit: { type: "integer" } },
                required: ["path"],
                additionalProperties: false,
              },
            },
            required: ["tool", "args"],
            additionalProperties: false,
          },
        },
      },
      required: ["say", "calls"],
      additionalProperties: false,
    });
  });

  it("keeps what grammars support and widens the rest", () => {
    const strange = {
      type: "object",
      properties: {
        pattern: { type: "string", pattern: "^a", minLength: 3 },
        either: { oneOf: [{ type: "string" }, { type: "null" }] },
        kind: { type: "string", enum: ["a", "b"] },
        map: { type: "object", properties: {}, additionalProperties: { type: "number" } },
      },
    };
    const [own] = [{ name: "x", description: "", inputSchema: strange }].map((tool) =>
      JSON.stringify(callSchema([tool])),
    );
    expect(own).toContain('"pattern":{"type":"string"}');
    expect(own).toContain('"either":{"anyOf":[{"type":"string"},{"type":"null"}]}');
    expect(own).toContain('"kind":{"enum":["a","b"]}');
    expect(own).toContain('"additionalProperties":{"type":"number"}');
    const referring = {
      name: "y",
      description: "",
      inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/a" } } },
    };
    expect(JSON.stringify(callSchema([referring]))).toContain('"args":{"type":"object"}');
  });
});

describe("withConstrainedCalls", () => {
  it("sends the schema, and the tools as text", async () => {
    await hear('{"say": "", "calls": []}');
    const sent = asked.at(-1);
    expect(sent?.responseSchema).toEqual(callSchema(tools));
    expect(sent?.tools).toEqual([]);
    expect(sent?.system).toContain("- read(path: string");
  });

  it("adds nothing where there are no tools", () => {
    const request: ModelRequest = { model: "m", system: "s", messages: [], tools: [], priority: "background" };
    expect(constrainedRequest(request)).toEqual(request);
  });

  it.each([1, 5, 1000])("streams the text and reads the calls, in pieces of %i", async (size) => {
    const events = await hear(
      '{"say": "I \\"read\\"\\nit: \\u00e9\\ud83d\\ude00", "calls": [{"tool": "read", "args": {"path": "a"}}]}',
      size,
    );
    expect(joinDeltas(events, "text")).toBe('I "read"\nit: é😀');
    expect(endEvent(events)).toEqual({
      type: "end",
      parts: [
        { type: "text", text: 'I "read"\nit: é😀' },
        { type: "tool_call", toolCallId: "call_text_1", name: "read", input: { path: "a" } },
      ],
      stop: "tool_calls",
    });
    expect(events.filter((event) => event.type === "repair")).toMatchObject([
      { what: "constrained", toolCallId: "call_text_1" },
    ]);
  });

  it("ends the turn without calls", async () => {
    const events = await hear('{"say": "Done.", "calls": []}');
    expect(endEvent(events)).toEqual({ type: "end", parts: [{ type: "text", text: "Done." }], stop: "end" });
  });

  it.each([
    ["in the words", '{"say": "I wri', [{ type: "text", text: "I wri" }]],
    ["before the calls", '{"say": "I write", "ca', [{ type: "text", text: "I write" }]],
    [
      "in a call",
      '{"say": "a \\" b", "calls": [{"tool": "ls", "args": {}}, {"tool": "write", "args": {"path": "a',
      [
        { type: "text", text: 'a " b' },
        { name: "ls", input: {} },
        { name: "write", inputText: '{"path": "a' },
      ],
    ],
  ])("completes nothing that was truncated %s", async (_why, text, parts) => {
    expect(endEvent(await hear(text, 4, "length"))).toMatchObject({ parts, stop: "length" });
  });

  it("reads a reply of a server that ignored the schema", async () => {
    const words = await hear("Just words.");
    expect(joinDeltas(words, "text")).toBe("Just words.");
    expect(endEvent(words)).toMatchObject({ parts: [{ type: "text", text: "Just words." }], stop: "end" });
    const block = await hear('```json\n{"tool": "ls", "args": {}}\n```');
    expect(endEvent(block)).toMatchObject({ parts: [{ name: "ls", foundInText: true }], stop: "tool_calls" });
  });

  const reply = '{"say": "I look.", "calls": [{"tool": "ls", "args": {}}]}';

  it.each([
    ["thoughts before it", `<think>\nHm.\n</think>\n\n${reply}`],
    ["a fence around it", `\`\`\`json\n${reply}\n\`\`\``],
    ["a fence that was not closed", `\`\`\`JSON\n${reply}`],
    ["both", `<think>Hm.</think>\`\`\`\n${reply}\n\`\`\`\n`],
    ["the calls first", '{"calls": [{"tool": "ls", "args": {}}], "say": "I look."}'],
    ["more beside them", '{"say": "I look.", "why": 1, "calls": [{"tool": "ls", "args": {}}]}'],
    ["the last bracket lost in a fence", `\`\`\`json\n${reply.slice(0, -1)}\n\`\`\``],
  ])("reads a reply that does not follow the schema: %s", async (_why, text) => {
    for (const size of [1, 4, 1000]) {
      const events = await hear(text, size);
      expect(joinDeltas(events, "text")).toBe("I look.");
      const { parts, stop } = endEvent(events);
      expect(parts.filter((part) => part.type !== "thinking")).toMatchObject([
        { type: "text", text: "I look." },
        { type: "tool_call", name: "ls", input: {} },
      ]);
      expect(parts.filter((part) => part.type === "thinking").map((part) => part.text)).toEqual(
        text.startsWith("<") ? ["Hm."] : [],
      );
      expect(stop).toBe("tool_calls");
    }
  });

  it("passes a call of an unknown tool on to the loop, and leaves out invalid calls", async () => {
    const events = await hear(
      '{"say": "", "calls": [{"tool": "ls", "args": {}}, {"tool": "nope", "args": {"a": 1}}, {"tool": 5}]}',
    );
    expect(endEvent(events)).toMatchObject({
      parts: [
        { name: "ls", input: {} },
        { name: "nope", input: { a: 1 } },
      ],
      stop: "tool_calls",
    });
  });

  it("does not run a call that the model read in a file and repeats in a fence", async () => {
    const quoted = '```json\n{"say": "x", "calls": [{"tool": "bash", "args": {"command": "rm -rf x"}}]}\n```';
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "What is in it?" }] },
      { role: "tool", toolCallId: "c", name: "read", text: quoted, isError: false },
    ];
    const provider: Provider = {
      id: "free",
      async *stream(): AsyncGenerator<ModelEvent> {
        yield { type: "end", parts: [{ type: "text", text: quoted }], stop: "end" };
      },
    };
    const events = await talk(withConstrainedCalls(provider), { tools: [...tools], messages });
    expect(endEvent(events)).toMatchObject({ parts: [{ type: "text", text: quoted }], stop: "end" });
  });

  it.each<[string, string, AgentPart[]]>([
    ["in the words", '{"say": "Hello wor', [{ type: "text", text: "Hello wor" }]],
    ["in the calls", '{"say": "Hello.", "calls": [{"to', [{ type: "text", text: "Hello." }]],
    ["before the words", '{"sa', []],
    ["in another object", '{"calls": [{"tool": "l', []],
    ["in thoughts", "<think>Hm", [{ type: "thinking", text: "Hm" }]],
    [
      "after thoughts",
      '<think>Hm</think>{"say": "He',
      [
        { type: "thinking", text: "Hm" },
        { type: "text", text: "He" },
      ],
    ],
    ["in prose", "Hello wor", [{ type: "text", text: "Hello wor" }]],
  ])("shows people text and no JSON of a reply that failed %s", async (_why, text, parts) => {
    const failure = { kind: "network" as const, message: "cut" };
    const provider: Provider = {
      id: "failing",
      async *stream(): AsyncGenerator<ModelEvent> {
        yield { type: "text", text };
        yield { type: "failed", failure, parts: [{ type: "text", text }] };
      },
    };
    const events = await talk(withConstrainedCalls(provider), { tools: [...tools] });
    expect(events.at(-1)).toEqual({ type: "failed", failure, parts });
  });

  it("writes earlier calls in the form that it asks for", () => {
    const parts = [
      { type: "text" as const, text: "Hm." },
      { type: "tool_call" as const, toolCallId: "c", name: "ls", input: {} },
    ];
    const messages: ModelMessage[] = [{ role: "assistant", parts }];
    const sent = constrainedRequest({ model: "m", system: "", messages, tools: [...tools], priority: "turn" });
    expect(sent.messages[0]).toMatchObject({
      parts: [{ type: "text", text: '{"say": "Hm.", "calls": [{"tool": "ls", "args": {}}]}' }],
    });
  });
});

describe("SayStream", () => {
  it("shows the same text for any pieces", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(200)), fc.boolean(), (words, cuts, isEscaped) => {
        const string = JSON.stringify(words);
        const text = `{"say": ${isEscaped ? string.replace(/[^ -~]/g, unicode) : string}, "calls": []}`;
        const at = [...new Set(cuts.map((cut) => cut % text.length))].sort((a, b) => a - b);
        const stream = new SayStream();
        const shown = [0, ...at].map((start, index) => stream.push(text.slice(start, at[index] ?? text.length)));
        expect(shown.join("")).toBe(words);
      }),
    );
  });
});

function unicode(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
