import type { AgentPart, Usage } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../ports/provider.ts";
import { PrefixLedger } from "./prefix-ledger.ts";
import { TruncationDetector, type TruncationVerdict } from "./truncation-detector.ts";

const prose = "The quick brown fox jumps over the lazy dog and goes home. ";
const code = "    const total = items.reduce((sum, item) => sum + item.price, 0);\n";
const han = "这个函数读取配置文件并返回一个对象，如果文件不存在就抛出异常。";
const much = (text: string, chars: number) => text.repeat(Math.ceil(chars / text.length)).slice(0, chars);

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const result = (text: string): ModelMessage => ({ role: "tool", toolCallId: "c", name: "read", text, isError: false });
const call: AgentPart = { type: "tool_call", toolCallId: "c", name: "read", input: { file_path: "x" } };

/** Counts like real tokenizers: about four letters per token, and one token for most wide characters. */
const tokensIn = (text: string) => {
  const wide = [...text].filter((char) => char >= "⺀").length;
  return Math.ceil((text.length - wide) / 4.3 + wide * 0.8);
};
const textIn = (message: ModelMessage): string => {
  if (message.role === "tool") return message.text;
  const parts: readonly { type: string; text?: string }[] = message.role === "user" ? message.content : message.parts;
  return parts
    .map((part) => (part.type === "text" ? part.text : part.type === "tool_call" ? "read x.ts" : ""))
    .join("");
};

/** Tokens of each message for a server that keeps thoughts until the user speaks again, like templates do. */
function sizesOf(messages: readonly ModelMessage[]): number[] {
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  return messages.map((message, index) => {
    const thoughts = message.role === "assistant" && index > lastUser ? message.parts : [];
    const thought = thoughts.reduce((sum, part) => sum + (part.type === "thinking" ? tokensIn(part.text) : 0), 0);
    return 5 + tokensIn(textIn(message)) + thought;
  });
}

type Server = (sizes: readonly number[], last: readonly number[]) => number;
const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, each) => sum + each, 0);
const readsAll: Server = (sizes) => 300 + sumOf(sizes);
/** Drops the oldest messages until the rest fits, as Ollama does. */
const dropsFor =
  (window: number): Server =>
  (sizes) => {
    let read = 300 + (sizes.at(-1) ?? 0);
    for (const size of sizes.slice(0, -1).reverse()) {
      if (read + size > window) break;
      read += size;
    }
    return read;
  };
const countsNew: Server = (sizes, last) => (last.length === 0 ? 300 : 4) + sumOf(sizes.slice(last.length));

/** One agent, its server, and the verdicts on its counts. */
class Talk {
  readonly messages: ModelMessage[] = [];
  readonly verdicts: TruncationVerdict[] = [];
  readonly #ledger = new PrefixLedger();
  readonly #audit = new TruncationDetector();
  readonly #server: Server;
  #last: number[] = [];
  dropped = false;

  constructor(server: Server) {
    this.#server = server;
  }

  send(reply: AgentPart[], more: Partial<Usage> = {}): TruncationVerdict {
    const sent = { provider: "p", model: "m", contextWindow: 32_768, system: "You are. ".repeat(100), tools: [] };
    const { weight } = this.#ledger.take({ ...sent, messages: this.messages.slice() });
    this.#audit.begin(weight, { toolsAsText: false });
    const sizes = sizesOf(this.messages);
    const inputTokens = this.#server(sizes, this.#last);
    this.dropped ||= inputTokens < readsAll(sizes, []);
    this.#last = sizes;
    const usage = { inputTokens, ...more };
    const verdict = this.#audit.take(weight, { usage, parts: reply, modelKey: "m", countsPart: false });
    this.messages.push({ role: "assistant", parts: reply });
    this.verdicts.push(verdict);
    return verdict;
  }

  /** A turn of several requests; the model thinks before each call. */
  work(text: string, calls: number, thought: string): void {
    this.messages.push(user(text));
    const thinking: AgentPart[] = thought === "" ? [] : [{ type: "thinking", text: thought }];
    for (let n = 0; n < calls; n += 1) {
      this.send([...thinking, call]);
      this.messages.push(result(`${n} ${text}`));
    }
    this.send([...thinking, { type: "text", text: "Done." }]);
  }
}

const kinds = (talk: Talk) => [...new Set(talk.verdicts.map(({ kind }) => kind))];

describe("row 15: a server that drops the oldest messages", () => {
  it.each([
    ["prose", prose],
    ["code", code],
    ["Chinese", han],
  ])(
    "row 15: a server that drops the oldest messages is noticed soon after it began, by its counts alone: %s",
    (_name, text) => {
      const talk = new Talk(dropsFor(4_096));
      let late = 0;
      for (let n = 0; n < 40 && talk.verdicts.at(-1)?.kind !== "cut"; n += 1) {
        talk.work(much(text, 1_200), 0, "");
        if (talk.dropped) late += 1;
      }
      expect(talk.verdicts.at(-1)?.kind).toBe("cut");
      expect(late).toBeLessThanOrEqual(3);
    },
  );

  it("row 15: a server that drops the oldest messages is noticed in the middle of a turn of a thinking model", () => {
    const talk = new Talk(dropsFor(4_096));
    talk.work(much(prose, 800), 40, much(prose, 400));
    const first = talk.verdicts.findIndex(({ kind }) => kind === "cut");
    expect(first).toBeGreaterThan(3);
    expect(first).toBeLessThan(18);
  });

  it("row 15: a server that drops the oldest messages gets advice no smaller than what it was seen to read", () => {
    const talk = new Talk(dropsFor(4_096));
    talk.work(much(code, 9_000), 1, "");
    for (let n = 0; n < 5 && talk.verdicts.at(-1)?.kind !== "cut"; n += 1) talk.work(much(prose, 3_000), 0, "");
    const cut = talk.verdicts.at(-1);
    expect(cut).toMatchObject({ kind: "cut" });
    if (cut?.kind !== "cut") return;
    expect(cut.mostRead).toBeGreaterThanOrEqual(cut.truncation.readTokens);
    expect(cut.mostRead).toBeLessThanOrEqual(4_096);
  });
});

describe("a server that reads all", () => {
  it.each([
    ["prose", prose],
    ["code", code],
    ["Chinese", han],
    ["rules and indentation", `${" ".repeat(40)}x\n${"-".repeat(80)}\n`],
  ])("a server that reads all raises no alarm, though templates leave out thoughts: %s", (_name, text) => {
    for (const thought of ["", much(text, 300), much(text, 6_000)]) {
      const talk = new Talk(readsAll);
      for (let n = 0; n < 6; n += 1) talk.work(much(text, 700 * (n + 1)), n * 2, thought);
      expect(kinds(talk)).toEqual(["whole"]);
    }
  });

  it("a server that reads all raises no alarm where thoughts are hidden and only counted", () => {
    const talk = new Talk(readsAll);
    const hidden = (text: string): AgentPart[] => [{ type: "thinking", text: "" }, ...(text ? [] : [call])];
    talk.messages.push(user(much(prose, 8_000)));
    talk.send(hidden(""), { outputTokens: 3_000 });
    talk.messages.push(result("x"));
    talk.send(hidden("x"), { inputTokens: 5_300, outputTokens: 100 });
    talk.messages.push(user("and now?"));
    expect(talk.send([], { inputTokens: 2_320 }).kind).toBe("whole");
  });

  it("a server that reads all raises no alarm when its counts vary slightly, and the meter never sinks", () => {
    let n = 0;
    const talk = new Talk((sizes, last) => Math.round(readsAll(sizes, last) * (n++ % 2 ? 0.99 : 1)));
    const tokens: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      talk.work(round < 10 ? much(prose, 3_000) : "on", 0, "");
      const verdict = talk.verdicts.at(-1);
      if (verdict?.kind === "whole") tokens.push(verdict.tokens);
    }
    expect(tokens).toHaveLength(20);
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
  });

  it("the comparison starts again when the conversation is replaced", () => {
    const talk = new Talk(readsAll);
    for (let n = 0; n < 5; n += 1) talk.work(much(prose, 4_000), 1, "");
    talk.messages.splice(0, talk.messages.length, user("Summary."));
    talk.work("on", 1, "");
    expect(kinds(talk)).toEqual(["whole"]);
  });

  it("a request without a report is skipped, and the next one is compared with the last report", () => {
    const talk = new Talk(readsAll);
    talk.work(much(prose, 12_000), 0, "");
    talk.messages.push(user(much(prose, 4_000)));
    expect(talk.send([], { inputTokens: Number.NaN }).kind).toBe("uncounted");
    talk.messages.push(user("on"));
    expect(talk.send([], { inputTokens: 3_000 }).kind).toBe("cut");
  });
});

describe("a server that reports only uncached tokens", () => {
  it.each([
    ["prose", prose],
    ["code", code],
    ["Chinese", han],
  ])("a server that reports only uncached tokens is recognised and raises no alarm: %s", (_name, text) => {
    const talk = new Talk(countsNew);
    talk.messages.push(user(much(text, 20_000)));
    talk.send([{ type: "text", text: "ok" }]);
    for (const chars of [20, 900, 4_000, 60]) {
      talk.messages.push(user(much(text, chars)));
      expect(talk.send([call]).kind).toBe("part");
      talk.messages.push(result(much(text, chars * 2)));
      expect(talk.send([{ type: "text", text: much(text, chars) }]).kind).toBe("part");
    }
    expect(talk.verdicts[0]?.kind).toBe("whole");
  });

  it("a server that reports only uncached tokens is assumed after a restart, but not for certain", () => {
    const talk = new Talk(() => 30);
    talk.messages.push(user(much(prose, 20_000)), { role: "assistant", parts: [{ type: "text", text: "ok" }] });
    talk.messages.push(user("and now, what do you think of it?"));
    expect(talk.send([])).toEqual({ kind: "part", isCertain: false });
  });

  it("a large result that was read in part is not taken for uncached tokens", () => {
    const talk = new Talk(dropsFor(4_096));
    talk.messages.push(user(much(prose, 6_000)));
    talk.send([call]);
    talk.messages.push(result(much(prose, 40_000)));
    expect(talk.send([], { inputTokens: 4_000 }).kind).toBe("cut");
  });
});
