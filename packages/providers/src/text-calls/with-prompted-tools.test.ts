import type { ModelEvent, ModelMessage, ModelRequest, Provider } from "@harness/core";
import { endEvent, joinDeltas, sampleRequest, talk } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { tools } from "../../test/offered.ts";
import { readTextCalls } from "./scan/read-text-calls.ts";
import { promptedRequest, promptedTools, withPromptedTools } from "./with-prompted-tools.ts";

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const history: ModelMessage[] = [
  user("Read a and b."),
  {
    role: "assistant",
    provider: "p",
    model: "m",
    parts: [
      { type: "thinking", text: "Hm." },
      { type: "text", text: "I do." },
      { type: "tool_call", toolCallId: "c1", name: "read", input: { path: "a" } },
      { type: "tool_call", toolCallId: "c2", name: "read", inputText: '{"path": "b' },
    ],
  },
  { role: "tool", toolCallId: "c1", name: "read", text: "A", isError: false },
  { role: "tool", toolCallId: "c2", name: "read", text: "Cut.", isError: true },
];

describe("promptedTools", () => {
  it("lists the tools compactly, and teaches a form that is read", () => {
    const text = promptedTools(tools);
    expect(text).toContain("- read(path: string, offset?: integer, limit?: integer): Does read.\n");
    expect(text).toContain(
      '- get_weather(city: string, unit?: "celsius" | "fahrenheit", days?: integer): Does get_weather.',
    );
    expect(text).toContain("- edit(path: string, edits: object[]): Does edit.");
    const taught = text.match(/```json\n[\s\S]*?\n```/)?.[0].replace("NAME", "read") ?? "";
    expect(readTextCalls(taught, tools)?.calls).toMatchObject([{ name: "read", input: { ARGUMENT: "VALUE" } }]);
    // Its own example does not count as a call: it names no tool.
    expect(readTextCalls(text, tools)).toBeUndefined();
  });

  it("costs less than half of the schemas", () => {
    expect(promptedTools(tools).length).toBeLessThan(JSON.stringify(tools).length);
  });
});

describe("promptedRequest", () => {
  it("puts tools into the system text and calls into the messages", () => {
    const sent = promptedRequest(sampleRequest({ tools: [...tools], messages: history }));
    expect(sent.tools).toEqual([]);
    expect(sent.system).toBe(`You help.\n\n${promptedTools(tools)}`);
    const call =
      '```json\n{"tool": "read", "args": {"path":"a"}}\n```\n\n```json\n{"tool": "read", "args": {"path": "b}\n```';
    expect(sent.messages).toEqual([
      user("Read a and b."),
      {
        role: "assistant",
        provider: "p",
        model: "m",
        parts: [
          { type: "thinking", text: "Hm." },
          { type: "text", text: `I do.\n\n${call}` },
        ],
      },
      {
        role: "user",
        content: [
          { type: "text", text: "Tool result (read):\nA" },
          { type: "text", text: "Tool result (read, error):\nCut." },
        ],
      },
    ]);
  });

  it("keeps images of results, and never sends two user messages in a row", () => {
    const image = { type: "image" as const, mimeType: "image/png", data: "AA==" };
    const messages: ModelMessage[] = [
      ...history.slice(0, 2),
      { role: "tool", toolCallId: "c1", name: "read", text: "A", images: [image], isError: false },
      user("And?"),
    ];
    const sent = promptedRequest(sampleRequest({ tools: [...tools], messages })).messages;
    expect(sent.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
    expect(sent[2]).toMatchObject({ content: [{ text: "Tool result (read):\nA" }, image, { text: "And?" }] });
  });

  it("drops replies without text before it joins the messages around them", () => {
    const messages: ModelMessage[] = [
      user("a"),
      { role: "assistant", parts: [{ type: "thinking", text: "cut" }] },
      user("b"),
      { role: "assistant", parts: [] },
      user("c"),
      { role: "assistant", parts: [{ type: "text", text: " \n" }] },
      user("d"),
    ];
    expect(promptedRequest(sampleRequest({ tools: [], messages })).messages).toEqual([
      { role: "user", content: ["a", "b", "c", "d"].map((text) => ({ type: "text", text })) },
    ]);
  });

  it("starts a longer conversation with the bytes of the shorter one", () => {
    const answer: ModelMessage = { role: "assistant", parts: [{ type: "text", text: "Done." }] };
    const short = promptedRequest(sampleRequest({ tools: [...tools], messages: history }));
    const long = promptedRequest(sampleRequest({ tools: [...tools], messages: [...history, answer, user("Thanks.")] }));
    expect(long.system).toBe(short.system);
    expect(long.messages.slice(0, short.messages.length)).toEqual(short.messages);
  });
});

describe("a prompted call", () => {
  const fence = (inner: string, language = "json") => `\`\`\`${language}\n${inner}\n\`\`\``;
  const a = '{"tool": "read", "args": {"path": "a"}}';
  const call = '{"id":"1","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}}';

  it.each<[string, string, string?]>([
    ["as it was taught", fence(a)],
    ["the language in capitals", fence(a, "JSON")],
    ["jsonc", fence(a, "jsonc")],
    ["the name in another case", fence('{"tool": "Read", "args": {"path": "a"}}'), "Read"],
    ["a prefix of the name", fence('{"name": "functions.read", "arguments": {"path": "a"}}'), "functions.read"],
    ["another key for the name", fence('{"tool_name": "read", "parameters": {"path": "a"}}')],
    ["an id beside it", fence('{"id": "c1", "tool": "read", "args": {"path": "a"}}')],
    [
      "a type and an index beside it",
      fence('{"type": "function", "index": 0, "name": "read", "input": {"path": "a"}}'),
    ],
    ["the last bracket lost", fence('{"tool": "read", "args": {"path": "a"}')],
    ["the arguments as text", fence('{"tool": "read", "args": "{\\"path\\": \\"a\\"}"}')],
    ["OpenAI's list", fence(`{"tool_calls": [${call}]}`)],
    ["OpenAI's list with its role", `{"role": "assistant", "content": null, "tool_calls": [${call}]}`],
    ["OpenAI's function", fence(call)],
    ["without a fence", '{"tool": "Read", "args": {"path": "a"}}', "Read"],
    ["the name in the fence", '```JSON name=Read\n{"path": "a"}\n```', "Read"],
    ["a tool that other programs have", fence('{"tool": "read_file", "args": {"path": "a"}}'), "read_file"],
    ["as in Python", fence('Read(path="a")', "tool_code"), "Read"],
  ])("is read with small mistakes: %s", (_why, output, name = "read") => {
    const calls = readTextCalls(output, tools, { isTextAsked: true })?.calls;
    expect(calls).toMatchObject([{ name, input: { path: "a" } }]);
  });

  it("needs no arguments where a tool has none", () => {
    const found = readTextCalls(`${fence('{"tool": "ls"}')}\n${fence('{"tool":"ls","args":null}')}`, tools, {
      isTextAsked: true,
    });
    expect(found?.calls).toMatchObject([
      { name: "ls", input: {} },
      { name: "ls", input: {} },
    ]);
  });

  it.each([
    ["other data with a tool's name", fence('{"name": "read", "version": "1.0.0"}')],
    ["more beside the call", fence('{"name": "read", "arguments": {"path": "a"}, "why": "x"}')],
    ["other data with the keys of a call", fence('{"name": "add", "parameters": {"a": 1}}')],
    ["code", fence(a, "ts")],
    ["prose after it", `${fence(a)}\nThat was it.`],
    ["a list with something else", fence(`{"tool_calls": [${call}, 5]}`)],
    ["an answer that lists its calls among others", fence(`{"tool_calls": [${call}], "cost": 5}`)],
    ["a larger fence", `\`\`\`\`md\n${fence(a)}\n\`\`\`\``],
  ])("is not %s", (_why, output) => {
    expect(readTextCalls(output, tools, { isTextAsked: true })).toBeUndefined();
  });

  it("is reported where it was broken, and not completed where it was truncated", () => {
    const broken = fence('{"tool": "bash", "args": {"command": "echo "hi""}');
    expect(readTextCalls(broken, tools, { isTextAsked: true })?.calls).toMatchObject([
      { name: "bash", inputText: '{"command": "echo "hi""}' },
    ]);
    const cut = readTextCalls('```json\n{"tool": "Read", "args": {"path": "a', tools, { isTextAsked: true });
    expect(cut?.calls).toMatchObject([{ name: "Read", inputText: '{"path": "a', cut: true }]);
  });
});

describe("withPromptedTools", () => {
  it("reads calls leniently", async () => {
    const text = '```JSON\n{"id": 1, "tool": "Ls"}\n```';
    const provider: Provider = {
      id: "plain",
      async *stream(): AsyncGenerator<ModelEvent> {
        yield { type: "text", text };
        yield { type: "end", parts: [{ type: "text", text }], stop: "end" };
      },
    };
    const events = await talk(withPromptedTools(provider), { tools: [...tools], messages: history });
    expect(endEvent(events)).toMatchObject({ parts: [{ name: "Ls", input: {} }], stop: "tool_calls" });
    expect(joinDeltas(events, "text")).toBe("");
  });

  it("reads names that other programs have for the tools, and shows nothing of such a call", async () => {
    const text = 'I look.\n\n```json\n{"name": "view_file", "arguments": {"path": "c"}}\n```';
    const provider: Provider = {
      id: "plain",
      async *stream(): AsyncGenerator<ModelEvent> {
        for (const piece of text.match(/.{1,7}/gs) ?? []) yield { type: "text", text: piece };
        yield { type: "end", parts: [{ type: "text", text }], stop: "end" };
      },
    };
    const asked = { tools: [...tools], messages: history };
    const unknown = await talk(withPromptedTools(provider), asked);
    expect(endEvent(unknown)).toMatchObject({ parts: [{ type: "text" }], stop: "end" });
    const events = await talk(withPromptedTools(provider), {
      ...asked,
      toolAliases: { view_file: "read", run: "gone" },
    });
    expect(endEvent(events)).toMatchObject({
      parts: [{ text: "I look." }, { type: "tool_call", name: "view_file", input: { path: "c" } }],
      stop: "tool_calls",
    });
    expect(joinDeltas(events, "text").trim()).toBe("I look.");
  });

  it("reads the form that the model was taught", async () => {
    const asked: ModelRequest[] = [];
    const text = 'I read.\n\n```json\n{"tool": "read", "args": {"path": "c"}}\n```';
    const provider: Provider = {
      id: "plain",
      async *stream(sent): AsyncGenerator<ModelEvent> {
        asked.push(sent);
        yield { type: "text", text };
        yield { type: "end", parts: [{ type: "text", text }], stop: "end" };
      },
    };
    const events = await talk(withPromptedTools(provider), { tools: [...tools], messages: history });
    expect(asked[0]?.tools).toEqual([]);
    expect(endEvent(events)).toMatchObject({
      parts: [
        { type: "text", text: "I read." },
        { type: "tool_call", name: "read", input: { path: "c" } },
      ],
      stop: "tool_calls",
    });
  });
});
