import { describe, expect, it } from "vitest";
import type { ModelMessage, ToolSpec } from "../../ports/provider.ts";
import { minMessageTokens, minTokens } from "./min-tokens.ts";
import { PrefixLedger, type SentRequest } from "./prefix-ledger.ts";

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const tool = (name: string, description = "x"): ToolSpec => ({ name, description, inputSchema: {} });
const base: SentRequest = {
  provider: "p",
  model: "m",
  contextWindow: 8_192,
  system: "You are.",
  tools: [tool("read"), tool("bash")],
  messages: [user("one"), user("two")],
};

/** The text that the report measures, without the closing brackets. */
const bytes = ({ system, tools, messages }: SentRequest) =>
  system + JSON.stringify(tools) + JSON.stringify(messages).slice(0, -1);

function second(changes: Partial<SentRequest>, prepare: (ledger: PrefixLedger) => void = () => undefined) {
  const ledger = new PrefixLedger();
  ledger.take(base);
  prepare(ledger);
  return ledger.take({ ...base, ...changes }).prefix;
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

describe("the prefix of a request", () => {
  it("the prefix of a first request has no report", () => {
    expect(new PrefixLedger().take(base).prefix).toBeUndefined();
  });

  it("the prefix of a request is kept where messages were only added, and measured in the JSON", () => {
    const of = bytes(base).length;
    expect(second({ messages: [...base.messages, user("three")] })).toEqual({ kept: of, of });
    expect(second({})).toEqual({ kept: of, of });
  });

  it("the prefix of a request is kept by equal copies of messages", () => {
    expect(second(structuredClone({ tools: base.tools, messages: base.messages }))?.break).toBeUndefined();
  });

  it("the prefix of a request may end before the first message", () => {
    const ledger = new PrefixLedger();
    ledger.take({ ...base, messages: [] });
    expect(ledger.take(base).prefix?.break).toBeUndefined();
  });

  it.each<[string, Partial<SentRequest>, string, string]>([
    ["the system text", { system: "You were." }, "system", "the system text changed"],
    [
      "an added tool",
      { tools: [...base.tools, tool("web_fetch")] },
      "tools",
      "the list of tools changed: web_fetch was added",
    ],
    ["a tool that is gone", { tools: [tool("bash")] }, "tools", "the list of tools changed: read was removed"],
    [
      "both",
      { tools: [tool("read"), tool("ls"), tool("grep")] },
      "tools",
      "the list of tools changed: ls, grep were added, bash was removed",
    ],
    [
      "words of a tool",
      { tools: [tool("read", "y"), tool("bash")] },
      "tools",
      "the list of tools changed: its order or its descriptions",
    ],
    ["an earlier message", { messages: [user("eins"), user("two")] }, "messages", "earlier messages changed"],
    ["the last message", { messages: [user("one"), user("twenty")] }, "messages", "earlier messages changed"],
    ["a message that is gone", { messages: [user("one")] }, "messages", "earlier messages changed"],
    ["all messages gone", { messages: [] }, "messages", "earlier messages changed"],
  ])("the prefix of a request is broken by %s, at the very byte", (_name, changes, section, cause) => {
    const report = second(changes);
    expect(report?.break).toMatchObject({ section, cause });
    const expected = commonLength(bytes(base), bytes({ ...base, ...changes }));
    // A removed message ends the JSON with a bracket that is not its own.
    const lengths = [expected, expected - 1];
    expect(lengths).toContain(report?.kept);
    const before = {
      system: 0,
      tools: base.system.length,
      messages: (base.system + JSON.stringify(base.tools)).length,
    };
    expect(report?.kept).toBe((report?.break?.offset ?? 0) + before[section as keyof typeof before]);
    expect(report?.of).toBe(bytes(base).length);
  });

  it("the prefix of a request is worth nothing to another model", () => {
    expect(second({ model: "other" })).toMatchObject({ kept: 0, break: { offset: 0, cause: "the model changed" } });
    expect(second({ provider: "other" })?.break?.cause).toBe("the model changed");
  });

  it("the prefix of a request is worth nothing to the same model with another context window", () => {
    expect(second({ contextWindow: 16_384 })).toMatchObject({
      kept: 0,
      break: { offset: 0, cause: "the context window changed" },
    });
  });

  it("the prefix of a request is broken for the reason that was announced, once", () => {
    const ledger = new PrefixLedger();
    ledger.take(base);
    ledger.expect("compaction", "start");
    ledger.expect("older tool results were shortened", "messages");
    const shortened = { ...base, messages: [user("sum")] };
    expect(ledger.take(shortened).prefix?.break?.cause).toBe("compaction");
    expect(ledger.take(base).prefix?.break?.cause).toBe("earlier messages changed");
  });

  it("the prefix of a request is not broken in the tools because messages were shortened", () => {
    const report = second({ tools: [tool("read")], messages: [] }, (ledger) => ledger.expect("shortened", "messages"));
    expect(report?.break?.cause).toBe("the list of tools changed: bash was removed");
  });

  it("the prefix of a request is measured only for new messages", () => {
    let measured = 0;
    const counting = (text: string): ModelMessage => {
      const message = user(text);
      Object.defineProperty(message, "toJSON", {
        value: () => {
          measured += 1;
          return user(text);
        },
      });
      return message;
    };
    const ledger = new PrefixLedger();
    const messages = Array.from({ length: 100 }, (_, n) => counting(`${n}`));
    ledger.take({ ...base, messages });
    expect(measured).toBe(100);
    ledger.take({ ...base, messages: [...messages, counting("new")] });
    expect(measured).toBe(101);
  });
});

describe("the weight of a request", () => {
  const answer: ModelMessage = { role: "assistant", parts: [{ type: "text", text: "a".padEnd(80, "bc") }] };
  const least = (messages: readonly ModelMessage[]) => messages.reduce((sum, each) => sum + minMessageTokens(each), 0);

  it("the weight of a request is that of its text, and includes what was added", () => {
    const ledger = new PrefixLedger();
    const first = ledger.take(base).weight;
    expect(first).toMatchObject({ contextWindow: 8_192, minTokens: minTokens(base.system) + least(base.messages) });
    const more = [answer, user("three")];
    const { weight } = ledger.take({ ...base, messages: [...base.messages, ...more] });
    expect(weight.minTokens).toBeCloseTo(first.minTokens + least(more), 10);
    expect(weight.estimatedTokens).toBeGreaterThan(first.estimatedTokens);
    expect(weight.added).toMatchObject({ messages: 2, fromUser: 1, ownMinTokens: least([answer]), isFirst: false });
    expect(ledger.take({ ...base, messages: [user("x")] }).weight).not.toHaveProperty("added");
    expect(ledger.take({ ...base, messages: [user("x")], contextWindow: 1 }).weight).not.toHaveProperty("added");
  });

  it("the weight of a first request counts as added only what no server can have cached", () => {
    const messages = [user("one"), answer, user("two")];
    const { added } = new PrefixLedger().take({ ...base, messages }).weight;
    expect(added).toMatchObject({ messages: 2, minTokens: least(messages.slice(1)), isFirst: true });
  });
});
