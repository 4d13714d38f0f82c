import type { ModelEvent, ModelMessage, ModelRequest, Provider } from "@harness/core";
import { endOf, request, talk } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { readTextCalls } from "./read-text-calls.ts";
import { tools } from "./testing/offered.ts";
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
  it("lists the tools compactly, and teaches a block that we read", () => {
    const text = promptedTools(tools);
    expect(text).toContain("- read(path: string, offset?: integer, limit?: integer): Does read.\n");
    expect(text).toContain(
      '- get_weather(city: string, unit?: "celsius" | "fahrenheit", days?: integer): Does get_weather.',
    );
    expect(text).toContain("- edit(path: string, edits: object[]): Does edit.");
    const taught = text.match(/```json\n[\s\S]*?\n```/)?.[0].replace("NAME", "read") ?? "";
    expect(readTextCalls(taught, tools)?.calls).toMatchObject([{ name: "read", input: { ARGUMENT: "VALUE" } }]);
    // An example of its own is none: it names no tool.
    expect(readTextCalls(text, tools)).toBeUndefined();
  });

  it("costs less than half of the schemas", () => {
    expect(promptedTools(tools).length).toBeLessThan(JSON.stringify(tools).length);
  });
});

describe("promptedRequest", () => {
  it("puts tools into the system text and calls into the messages", () => {
    const sent = promptedRequest(request({ tools: [...tools], messages: history }));
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

  it("keeps images of results, and lets no two messages of the user follow each other", () => {
    const image = { type: "image" as const, mimeType: "image/png", data: "AA==" };
    const messages: ModelMessage[] = [
      ...history.slice(0, 2),
      { role: "tool", toolCallId: "c1", name: "read", text: "A", images: [image], isError: false },
      user("And?"),
    ];
    const sent = promptedRequest(request({ tools: [...tools], messages })).messages;
    expect(sent.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
    expect(sent[2]).toMatchObject({ content: [{ text: "Tool result (read):\nA" }, image, { text: "And?" }] });
  });

  it("begins a longer conversation with the bytes of the shorter one", () => {
    const answer: ModelMessage = { role: "assistant", parts: [{ type: "text", text: "Done." }] };
    const short = promptedRequest(request({ tools: [...tools], messages: history }));
    const long = promptedRequest(request({ tools: [...tools], messages: [...history, answer, user("Thanks.")] }));
    expect(long.system).toBe(short.system);
    expect(long.messages.slice(0, short.messages.length)).toEqual(short.messages);
  });
});

describe("withPromptedTools", () => {
  it("reads what the model was taught to write", async () => {
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
    expect(endOf(events)).toMatchObject({
      parts: [
        { type: "text", text: "I read." },
        { type: "tool_call", name: "read", input: { path: "c" } },
      ],
      stop: "tool_calls",
    });
  });
});
