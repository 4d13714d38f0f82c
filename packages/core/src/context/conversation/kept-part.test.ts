import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../ports/provider.ts";
import { messageChars } from "../tokens/estimate-tokens.ts";
import { keptChars, keptPart } from "./kept-part.ts";

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const says = (text: string): ModelMessage => ({ role: "assistant", parts: [{ type: "text", text }] });
const result = (id: string, chars: number): ModelMessage => ({
  role: "tool",
  toolCallId: id,
  name: "read",
  text: "r".repeat(chars),
  isError: false,
});
/** A reply with calls, and their results. */
const round = (id: string, resultChars: readonly number[]): ModelMessage[] => [
  {
    role: "assistant",
    parts: resultChars.map((_, n) => ({
      type: "tool_call" as const,
      toolCallId: `${id}-${n}`,
      name: "read",
      input: { file_path: "a" },
    })),
  },
  ...resultChars.map((chars, n) => result(`${id}-${n}`, chars)),
];
/** A message of the user, this many rounds of one result, and an answer. */
const task = (name: string, rounds: number, chars = 1_000): ModelMessage[] => [
  user(name),
  ...Array.from({ length: rounds }, (_, n) => round(`${name}-${n}`, [chars])).flat(),
  says(`${name} is done`),
];
const textOf = (message: ModelMessage | undefined) =>
  message?.role === "user" && message.content[0]?.type === "text" ? message.content[0].text : undefined;
const prompts = (messages: readonly ModelMessage[]) =>
  messages.flatMap((message, index) => (message.role === "user" ? [index] : []));
const sizeOf = (messages: readonly ModelMessage[]) => messages.reduce((sum, each) => sum + messageChars(each), 0);
const keep = (messages: readonly ModelMessage[], room: number, least = 1) =>
  keptPart({ messages, prompts: prompts(messages), least, room: () => room, maxChars: Number.POSITIVE_INFINITY });

const FREE = Number.POSITIVE_INFINITY;
const chat = Array.from({ length: 7 }, (_, n) => [user(`u${n}`), says(`a${n}`)]).flat();

describe("what a compaction keeps", () => {
  it.each<[string, ModelMessage[], number | undefined]>([
    ["five pairs of a chat", chat, 4],
    ["five answered pairs, and a message that has no answer yet", [...chat, user("new")], 4],
    ["all that there is, so that there is nothing to compact", chat.slice(0, 10), undefined],
    ["nothing of nothing", [], undefined],
    ["a question alone, as it is", [user("a")], undefined],
    ["five pairs with all their rounds", Array.from({ length: 6 }, (_, n) => task(`t${n}`, 3)).flat(), 8],
    ["a message with what was reported just before it", [user("report"), ...chat.slice(4)], undefined],
  ])("what a compaction keeps: %s", (_name, messages, from) => {
    expect(keep(messages, FREE)).toEqual(from === undefined ? undefined : { from, shortenTo: from });
  });

  it("three requests of 3, 3 and 9 tool rounds are kept whole where there is room", () => {
    const messages = [...task("old", 1), ...task("old too", 1), ...task("a", 3), ...task("b", 3), ...task("c", 9)];
    const six = [...task("older", 1), ...messages];
    expect(textOf(six[keep(six, FREE)?.from ?? 0])).toBe("old");
  });

  it("the oldest results of three requests of 3, 3 and 9 tool rounds are shortened first, only as many as needed", () => {
    const messages = [...task("a", 3), ...task("b", 3), ...task("c", 9)];
    const all = sizeOf(messages);
    const before = [...task("x", 0), ...task("y", 0), ...task("z", 0)];
    // Five pairs begin with the second message, and the first result is the third one after them.
    expect(keep([...before, ...messages], all)).toEqual({ from: 2, shortenTo: 9 });
    expect(keep([...before, ...messages], all - 450)).toEqual({ from: 2, shortenTo: 11 });
    expect(keep([...before, ...messages], all - 900)).toEqual({ from: 2, shortenTo: 13 });
  });

  it("the oldest replies are left out where shorter results are not enough, and the last round stays whole", () => {
    const messages = task("only", 9, 3_000).slice(0, -1);
    const part = keep(messages, 5_000);
    expect(part).toBeDefined();
    const { from = 0, shortenTo = 0 } = part ?? {};
    expect(messages[from]?.role).toBe("assistant");
    expect(shortenTo).toBeLessThan(messages.length);
    expect(keptChars(messages, { from, shortenTo })).toBeLessThanOrEqual(5_000);
    expect(keep(messages, 100)).toEqual({ from: messages.length - 2, shortenTo: messages.length - 2 });
  });

  it("the results of the last round are shortened only where they could not be sent", () => {
    const messages = [user("go"), ...round("a", [10]), ...round("b", [9_000, 9_000, 9_000])];
    const part = keptPart({ messages, prompts: [0], least: 1, room: () => 100, maxChars: 20_000 });
    expect(part).toEqual({ from: 3, shortenTo: 5 });
    expect(part && keptChars(messages, part)).toBeLessThanOrEqual(20_000);
  });

  it("room that depends on where the kept part begins is asked for there", () => {
    const messages = task("only", 3, 2_000);
    const asked: number[] = [];
    keptPart({
      messages,
      prompts: [0],
      least: 1,
      room: (from) => {
        asked.push(from);
        return from > 1 ? FREE : 0;
      },
      maxChars: FREE,
    });
    expect(asked).toEqual([0, 3]);
  });
});

/** A generator of numbers below `n` that gives the same ones each time. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * n);
  };
}

function invented(next: (n: number) => number): ModelMessage[] {
  const messages: ModelMessage[] = [];
  const tasks = 1 + next(9);
  for (let n = 0; n < tasks; n += 1) {
    messages.push(user(`task ${n} ${"x".repeat(next(300))}`));
    const rounds = next(6);
    for (let at = 0; at < rounds; at += 1) {
      const results = Array.from({ length: 1 + next(3) }, () => next(4_000));
      messages.push(...round(`${n}-${at}`, results));
      if (next(6) === 0) messages.push(user("and also"));
    }
    if (next(4) > 0) messages.push(says("done"));
  }
  return messages;
}

describe("what a compaction keeps of any conversation", () => {
  it("a call stays with its results, the last reply is whole, and the rest fits or there is nothing but the last reply", () => {
    let compacted = 0;
    for (let seed = 1; seed <= 600; seed += 1) {
      const next = numbers(seed);
      const messages = invented(next);
      const room = 500 + next(sizeOf(messages));
      const part = keep(messages, room);
      const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
      if (part === undefined) {
        expect(sizeOf(messages) <= room || lastReply <= 1).toBe(true);
        continue;
      }
      compacted += 1;
      const { from, shortenTo } = part;
      const kept = messages.slice(from);
      const called = kept.flatMap((each) =>
        each.role === "assistant"
          ? each.parts.flatMap((each) => (each.type === "tool_call" ? [each.toolCallId] : []))
          : [],
      );
      expect(kept.flatMap((each) => (each.role === "tool" ? [each.toolCallId] : []))).toEqual(called);
      expect(from).toBeGreaterThan(0);
      expect(from).toBeLessThanOrEqual(lastReply);
      expect(shortenTo).toBeLessThanOrEqual(Math.max(from, lastReply));
      const replies = kept.filter(({ role }) => role === "assistant").length;
      expect(keptChars(messages, part) <= room || replies === 1).toBe(true);
    }
    expect(compacted).toBeGreaterThan(200);
  });
});
