import type { AgentPart, Content, Fact, Shortening, StopReason, StoredFact, ToolOutcome } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../ports/provider.ts";
import { messageChars } from "../tokens/estimate-tokens.ts";
import { Projection } from "./projection.ts";

let seq = 0;
const fact = (update: Fact): StoredFact => ({ seq: ++seq, at: "", agentId: "main", turnId: "t", update });
const user = (text: string, origin: "user" | "subagent" | "harness" = "user"): Fact => ({
  sessionUpdate: "user_message",
  messageId: "m",
  content: [{ type: "text", text }],
  origin,
});
const callPart = (toolCallId: string): AgentPart => ({ type: "tool_call", toolCallId, name: "read", input: { a: 1 } });
const reply = (parts: AgentPart[], stop: "end" | "tool_calls" | "cut" = "end"): Fact => ({
  sessionUpdate: "agent_message",
  messageId: "m",
  parts,
  stop,
  provider: "p",
  model: "x",
});
const says = (text: string) => reply([{ type: "text", text }]);
const result = (toolCallId: string, text: string, more: Partial<ToolOutcome> = {}): Fact => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  status: "completed",
  outcome: { status: "ok", text, blocks: [], durationMs: 0, ...more },
});
const idle = (stopReason: StopReason): Fact => ({ sessionUpdate: "state_update", state: "idle", stopReason });

function projected(...updates: Fact[]): Projection {
  seq = 0;
  const facts = updates.map((update) => fact(update));
  const projection = new Projection((before) => facts.filter((each) => each.seq < before));
  for (const each of facts) projection.see(each);
  return projection;
}

/** Messages in short: `u:hi`, `a:text[calls]`, `t:id=text`. */
function short(messages: readonly ModelMessage[]): string[] {
  return messages.map((message) => {
    if (message.role === "tool") return `t:${message.toolCallId}=${message.text}${message.isError ? "!" : ""}`;
    if (message.role === "user")
      return `u:${message.content.map((part) => (part.type === "text" ? part.text : "image")).join()}`;
    return `a:${message.parts.map((part) => (part.type === "tool_call" ? `[${part.toolCallId}]` : part.text)).join("")}`;
  });
}

const LOST = "interrupted: its result is lost. It is unknown whether it ran; look before you do it again.";

const rows: [name: string, facts: Fact[], messages: string[]][] = [
  ["a question and its answer", [user("hi"), says("hello"), idle("end_turn")], ["u:hi", "a:hello"]],
  [
    "results in call order, whatever order they came in",
    [user("go"), reply([callPart("a"), callPart("b")], "tool_calls"), result("b", "2"), result("a", "1"), says("done")],
    ["u:go", "a:[a][b]", "t:a=1", "t:b=2", "a:done"],
  ],
  [
    "what is said meanwhile comes after the results",
    [user("go"), reply([callPart("a")], "tool_calls"), user("wait", "harness"), result("a", "1")],
    ["u:go", "a:[a]", "t:a=1", "u:wait"],
  ],
  ["several messages of a person stay several", [user("a"), user("b", "subagent")], ["u:a", "u:b"]],
  [
    "failed calls are marked",
    [user("go"), reply([callPart("a")], "tool_calls"), result("a", "no", { status: "denied" })],
    ["u:go", "a:[a]", "t:a=no!"],
  ],
  [
    "row 12: a call whose result is lost gets one before the next reply",
    [user("go"), reply([callPart("a"), callPart("b")], "tool_calls"), result("b", "2"), user("on"), says("done")],
    ["u:go", `a:[a][b]`, `t:a=${LOST}!`, "t:b=2", "u:on", "a:done"],
  ],
  [
    "row 12: a result that comes after all is one too many",
    [user("go"), reply([callPart("a")], "tool_calls"), says("done"), result("a", "1")],
    ["u:go", "a:[a]", `t:a=${LOST}!`, "a:done"],
  ],
  ["a result nobody asked for is left out", [user("go"), result("x", "1")], ["u:go"]],
  [
    "a second result is left out",
    [user("go"), reply([callPart("a")], "tool_calls"), result("a", "1"), result("a", "2")],
    ["u:go", "a:[a]", "t:a=1"],
  ],
  [
    "a reply cut by a person stays said",
    [user("go"), reply([{ type: "text", text: "half" }], "cut"), idle("cancelled"), user("on")],
    ["u:go", "a:half", "u:on"],
  ],
  [
    "a reply cut by a failure does not",
    [user("go"), reply([{ type: "text", text: "half" }], "cut"), idle("error"), user("on")],
    ["u:go", "u:on"],
  ],
  [
    "calls of a cut reply do not",
    [user("go"), reply([{ type: "text", text: "half" }, callPart("a")], "cut"), idle("cancelled")],
    ["u:go", "a:half"],
  ],
  ["nothing but thoughts is left out", [user("go"), reply([{ type: "thinking", text: "hm" }])], ["u:go"]],
  [
    "empty parts are left out",
    [
      user("go"),
      reply([
        { type: "text", text: "" },
        { type: "text", text: "x" },
      ]),
    ],
    ["u:go", "a:x"],
  ],
  [
    "notices, retries and states are left out",
    [user("go"), { sessionUpdate: "notice", severity: "info", title: "n" }, idle("end_turn")],
    ["u:go"],
  ],
];

describe("facts as messages", () => {
  it.each(rows)("facts as messages: %s", (_name, facts, messages) => {
    const projection = projected(...facts);
    expect(short(projection.messages)).toEqual(messages);
    expect(projection.chars).toBe(projection.messages.reduce((sum, message) => sum + messageChars(message), 0));
  });

  it("facts as messages only ever appends", () => {
    for (const [, facts] of rows) {
      const projection = new Projection(() => []);
      seq = 0;
      let before = "[";
      for (const update of facts) {
        projection.see(fact(update));
        const now = JSON.stringify(projection.messages).slice(0, -1);
        expect(now.startsWith(before)).toBe(true);
        before = now;
      }
    }
  });

  it("facts as messages keeps pictures, of people and of tools", () => {
    const image: Content = { type: "image", mimeType: "image/png", data: "aGk=" };
    const projection = projected(
      { sessionUpdate: "user_message", messageId: "m", content: [image], origin: "user" },
      reply([callPart("a")], "tool_calls"),
      result("a", "a picture", { images: [image] }),
    );
    expect(projection.messages[0]).toEqual({ role: "user", content: [image] });
    expect(projection.messages[2]).toMatchObject({ images: [image] });
    expect(projection.chars).toBeGreaterThan(9_000);
  });

  it("facts as messages keeps signatures and says who wrote a reply", () => {
    const thinking: AgentPart = { type: "thinking", text: "hm", signature: "s" };
    const projection = projected(user("go"), reply([thinking, { type: "text", text: "x" }]));
    expect(projection.messages[1]).toEqual({
      role: "assistant",
      parts: [thinking, { type: "text", text: "x" }],
      provider: "p",
      model: "x",
    });
  });
});

describe("a compaction", () => {
  const compaction = (summary: string, keepFromSeq: number): Fact => ({
    sessionUpdate: "compaction_update",
    compactionId: "c",
    reason: "manual",
    summary,
    keepFromSeq,
    tokensBefore: 0,
    tokensAfter: 0,
  });
  const talk = [user("1"), says("one"), user("2"), reply([callPart("a")], "tool_calls"), result("a", "r"), says("two")];

  it("a compaction puts the summary before what is kept", () => {
    const projection = projected(...talk, compaction("SUM", 3), user("3"));
    expect(short(projection.messages)).toEqual([
      expect.stringMatching(/^u:Summary.*SUM$/s),
      "u:2",
      "a:[a]",
      "t:a=r",
      "a:two",
      "u:3",
    ]);
    expect(projection.compaction?.summary).toBe("SUM");
  });

  it("a later compaction replaces the older summary", () => {
    const projection = projected(...talk, compaction("OLD", 3), user("3"), compaction("NEW", 6));
    expect(short(projection.messages)).toEqual([expect.stringMatching(/NEW$/), "a:two", "u:3"]);
  });

  it("a compaction may keep no message", () => {
    expect(short(projected(...talk, compaction("SUM", 100)).messages)).toEqual([expect.stringMatching(/SUM$/)]);
  });
});

describe("shortened results", () => {
  const long = "x".repeat(1_000);
  const round = (id: string, text: string) => [reply([callPart(id)], "tool_calls"), result(id, text)];
  const shorter = (...shortened: Shortening[]): Fact => ({
    sessionUpdate: "context_update",
    reason: "threshold",
    title: "shorter",
    shortened,
    tokensBefore: 1,
    tokensAfter: 1,
  });

  it("shortened results keep their head and tail, and those that a rewind has hidden are passed over", () => {
    const facts = [user("go"), ...round("a", long), ...round("b", "short"), ...round("c", long)];
    const whole = projected(...facts);
    const projection = projected(
      ...facts,
      shorter(
        { toolCallId: "a", head: 3, tail: 2, note: "[…]" },
        { toolCallId: "b", head: 0, tail: 0, note: "[gone]" },
        { toolCallId: "none", head: 0, tail: 0, note: "[gone]" },
      ),
    );
    expect(short(projection.messages)).toEqual([
      "u:go",
      "a:[a]",
      "t:a=xxx\n[…]\nxx",
      "a:[b]",
      "t:b=[gone]",
      "a:[c]",
      `t:c=${long}`,
    ]);
    expect(projection.chars).toBe(whole.chars - 990 + 1);
  });

  it("shortened texts of a message are named by its fact and their number", () => {
    const projection = projected(user(long), shorter({ seq: 1, part: 0, head: 4, tail: 0, note: "[… the rest]" }));
    expect(short(projection.messages)).toEqual(["u:xxxx\n[… the rest]"]);
  });
});

describe("a call with a corrected name", () => {
  const wrote = (name: string) =>
    reply([{ type: "tool_call", toolCallId: "a", name, input: { file: "x" } }], "tool_calls");
  const taken: Fact = {
    sessionUpdate: "tool_call_update",
    toolCallId: "a",
    status: "pending",
    name: "read",
    title: "",
  };
  const sentNames = (messages: readonly ModelMessage[]) =>
    messages.flatMap((message) => {
      if (message.role === "tool") return [message.name];
      return message.role === "assistant"
        ? message.parts.flatMap((part) => (part.type === "tool_call" ? [part.name] : []))
        : [];
    });

  it.each(["READ", "functions.read", "re_ad"])(
    "a call by the name %s is sent with the tool's own name, and its fact stays",
    (name) => {
      const fact = wrote(name);
      const { messages, chars } = projected(user("go"), fact, taken, result("a", "1"));
      expect(sentNames(messages)).toEqual(["read", "read"]);
      expect(chars).toBe(messages.reduce((sum, message) => sum + messageChars(message), 0));
      expect(fact).toMatchObject({ parts: [{ name }] });
    },
  );

  it("a call keeps another harness's name, because its arguments have another form", () => {
    expect(sentNames(projected(user("go"), wrote("view_file"), taken, result("a", "1")).messages)).toEqual([
      "view_file",
      "view_file",
    ]);
  });
});
