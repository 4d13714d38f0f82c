import { describe, expect, it } from "vitest";
import { requestParts } from "./request-parts.ts";
import { requestReport } from "./request-report.ts";
import { SentRequests } from "./sent-requests.ts";

const from = { agentId: "main", provider: "openai", model: "m" };
const address = "https://api.example.org/v1/chat/completions";
const at = "2026-11-23T04:00:00.000Z";
const now = () => Date.parse(at);
const sectionsOf = (body: object) =>
  requestParts(JSON.stringify(body)).map(({ section, name }) => `${section}: ${name}`);

describe("the parts of a request", () => {
  it("are read from the format of OpenAI's chat completions", () => {
    const body = {
      model: "m",
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: [{ type: "text", text: "hi" }] },
        { role: "assistant", tool_calls: [] },
        { role: "tool", tool_call_id: "c1", content: "done" },
      ],
      tools: [{ type: "function", function: { name: "read", parameters: {} } }],
    };
    expect(sectionsOf(body)).toEqual([
      "options: model",
      "system: messages[0] system",
      "tools: read",
      "conversation: messages[1] user",
      "conversation: messages[2] assistant",
      "tool_results: messages[3] tool",
    ]);
  });

  it("are read from the formats of Anthropic, OpenAI's responses, and Ollama", () => {
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "done" }] };
    expect(
      sectionsOf({ system: [{ type: "text", text: "s" }], messages: [result], tools: [{ name: "read" }] }),
    ).toEqual(["system: system", "tools: read", "tool_results: messages[0] user"]);
    const input = [
      { role: "user", content: "hi" },
      { type: "function_call_output", call_id: "c1", output: "done" },
    ];
    expect(sectionsOf({ instructions: "s", input, tools: [{ type: "function", name: "read" }] })).toEqual([
      "system: instructions",
      "tools: read",
      "conversation: input[0] user",
      "tool_results: input[1] function_call_output",
    ]);
    expect(sectionsOf({ model: "m", messages: [{ role: "user", content: "hi" }], options: { num_ctx: 8192 } })).toEqual(
      ["options: model", "options: options", "conversation: messages[0] user"],
    );
  });

  it("are one where a request is not JSON", () => {
    expect(requestParts("x=1")).toEqual([{ section: "conversation", name: "request", text: "x=1", chars: 3 }]);
  });

  it("are shown with their texts as they are", () => {
    const [message] = requestParts(JSON.stringify({ messages: [{ role: "user", content: 'two\nlines "quoted"' }] }));
    expect(message?.text).toBe('role: user\ncontent:\n  two\n  lines "quoted"');
  });
});

describe("requests that were sent", () => {
  it("are kept two by two for each agent, and one that is tried again counts once", () => {
    const sent = new SentRequests(now);
    const send = (body: string, agentId = "main", tries = 1) => {
      const keep = sent.watch("s1", { ...from, agentId });
      for (let count = 0; count < tries; count++) keep({ address, body });
    };
    send("one");
    send("two", "main", 3);
    send("other", "a1");
    expect(sent.of("s1", "main")).toMatchObject({ last: { body: "two", at }, before: { body: "one" } });
    expect(sent.of("s1", "a1")).toMatchObject({ last: { body: "other" }, before: undefined });
    expect(sent.of("s2", "main")).toBeUndefined();
    sent.onClosed("s1");
    expect(sent.of("s1", "main")).toBeUndefined();
  });

  it("are bounded in memory: those of agents that were asked long ago go, then the one before", () => {
    const sent = new SentRequests(now, 100);
    const send = (agentId: string, length: number) =>
      sent.watch("s1", { ...from, agentId })({ address, body: "x ".repeat(length / 2) });
    send("a1", 40);
    send("a2", 40);
    send("a3", 40);
    expect(["a1", "a2", "a3"].map((id) => sent.of("s1", id) !== undefined)).toEqual([false, true, true]);
    send("a3", 80);
    expect(sent.of("s1", "a2")).toBeUndefined();
    expect(sent.of("s1", "a3")).toMatchObject({ last: { body: "x ".repeat(40) }, before: undefined });
  });

  it("are kept without pictures of the least size, wherever they stand", () => {
    const bodies = Array.from({ length: 501 }, (_, n) => `${" ".repeat(n)}["${"A".repeat(1_000)}"]`);
    const shown = bodies.map((body, n) => {
      const sent = new SentRequests(now);
      sent.watch(`s${n}`, from)({ address, body });
      return sent.of(`s${n}`, "main")?.last.body.trimStart();
    });
    expect(new Set(shown)).toEqual(new Set(['["(750 bytes)"]']));
  });

  it("are kept without pictures", () => {
    const sent = new SentRequests(now);
    const data = "A".repeat(4_000);
    const body = JSON.stringify({ url: `data:image/png;base64,${data}`, images: [data], text: "A word" });
    sent.watch("s1", from)({ address, body });
    expect(sent.of("s1", "main")?.last.body).toBe(
      '{"url":"data:image/png;base64,(3,000 bytes)","images":["(3,000 bytes)"],"text":"A word"}',
    );
  });
});

describe("the report of a request", () => {
  const chat = (...texts: string[]) =>
    JSON.stringify({ model: "m", messages: texts.map((content) => ({ role: "user", content })) });
  const report = (last: string, before?: string) =>
    requestReport(
      {
        last: { ...from, address, at, body: last },
        before: before === undefined ? undefined : { ...from, address, at, body: before },
      },
      (text) => text.replaceAll("sk-secret", "[hidden]"),
    );

  it("hides secrets everywhere", async () => {
    const whole = JSON.stringify(await report(chat("use sk-secret", "again sk-secret"), chat("use sk-secret")));
    expect(whole).not.toContain("sk-secret");
    expect(whole).toContain("[hidden]");
  });

  it("counts tokens by section, which are those of the whole", async () => {
    const { sections, tokens } = await report(chat("x".repeat(400)));
    expect(sections.map(({ section, parts }) => [section, parts])).toEqual([
      ["options", 1],
      ["conversation", 1],
    ]);
    expect(sections.reduce((sum, each) => sum + each.tokens, 0)).toBeLessThanOrEqual(tokens + 1);
    expect(sections[1]?.items).toEqual([{ name: "messages[0] user", tokens: expect.any(Number) }]);
  });

  it("says how much begins as the request before, and what differs behind that", async () => {
    const { difference } = await report(chat("one", "two", "three"), chat("one"));
    expect(difference).toMatchObject({ sameParts: 2, parts: 4, removed: 0 });
    expect(difference?.hunks).toContain("+── messages[1] user\n+role: user\n+content: two");
    const changed = await report(chat("ONE", "two"), chat("one", "two"));
    expect(changed.difference).toMatchObject({ sameParts: 1, added: 1, removed: 1 });
    expect((await report(chat("one"), chat("one"))).difference).toMatchObject({ hunks: "", sameParts: 2 });
    expect((await report(chat("one"))).difference).toBeUndefined();
  });
});
