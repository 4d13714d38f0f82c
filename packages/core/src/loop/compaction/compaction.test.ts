import {
  call,
  calling,
  failing,
  HurryingClock,
  MemoryLog,
  MemorySession,
  probeTool,
  type Script,
  saying,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";

const NEEDLE = "the password of the test is xyzzy";
const isSummary: (request: Parameters<Script>[0]) => boolean = (request) => request.priority === "background";
/** Answers everything briefly, and summarises by repeating the sentence that matters. */
const chatting: Script = (request) =>
  isSummary(request)
    ? saying(JSON.stringify(request.messages).includes(NEEDLE) ? `You know that ${NEEDLE}.` : "Nothing.")
    : saying("ok");
const texts = (request: Parameters<Script>[0] | undefined) =>
  request?.messages.map((each) =>
    each.role === "user" ? each.content.map((part) => (part.type === "text" ? part.text : "")).join("") : each.role,
  );

async function chat(memory: MemorySession, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1) await memory.say(`message ${n}`);
}

describe("a compaction by a person", () => {
  it("a compaction by a person replaces older messages by a summary and keeps the last five pairs", async () => {
    const memory = new MemorySession({ script: chatting });
    await memory.say(NEEDLE);
    await chat(memory, 2, 8);
    const answer = await memory.session.compact("the password");
    expect(answer).toEqual({ tokensBefore: expect.any(Number), tokensAfter: expect.any(Number) });
    expect(memory.facts("compaction_update")).toMatchObject([
      {
        reason: "manual",
        summary: expect.stringMatching(new RegExp(`^You know that ${NEEDLE}\\.\n\nEarlier messages from the person`)),
      },
    ]);
    const [summary] = memory.provider.requests.filter(isSummary);
    expect(summary).toMatchObject({ tools: [], priority: "background", maxOutputTokens: 4_096 });
    expect(JSON.stringify(summary?.messages)).toContain("Above all, keep: the password");
    await memory.say("now?");
    expect(texts(memory.provider.requests.at(-1))).toEqual([
      expect.stringContaining(NEEDLE),
      ...[4, 5, 6, 7, 8].flatMap((n) => [`message ${n}`, "assistant"]),
      "now?",
    ]);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("a compaction by a person is the same after a restart, and can be done again", async () => {
    const memory = new MemorySession({ script: chatting });
    await memory.say(NEEDLE);
    await chat(memory, 2, 8);
    await memory.session.compact();
    const again = new MemorySession({ script: chatting, log: new MemoryLog("s1", "/work", memory.log.lines) });
    await memory.say("now?");
    await again.say("now?");
    expect(again.provider.requests[0]?.messages).toEqual(memory.provider.requests.at(-1)?.messages);
    await chat(again, 10, 16);
    expect(await again.session.compact()).toMatchObject({ tokensAfter: expect.any(Number) });
    await again.say("and now?");
    expect(texts(again.provider.requests.at(-1))).toEqual([
      expect.stringContaining(NEEDLE),
      ...[12, 13, 14, 15, 16].flatMap((n) => [`message ${n}`, "assistant"]),
      "and now?",
    ]);
  });

  it("a compaction by a person quotes the person's last message where it would be lost", async () => {
    const script: Script = (request, n) =>
      isSummary(request) ? saying("Work.") : n < 9 ? calling(call(`c${n}`, "probe", { n })) : saying("done");
    const probe = probeTool("probe", () => ({ status: "ok", text: "x".repeat(3_000), blocks: [] }));
    const memory = new MemorySession({
      script,
      tools: [probe],
      contextWindow: 16_384,
      options: { auto_compact_enabled: false, compact_target: 20 },
    });
    await memory.say("Please count the files.");
    await memory.session.compact();
    expect(memory.facts("compaction_update")[0]?.summary).toBe(
      "Work.\n\nEarlier messages from the person, word for word:\n<message>\nPlease count the files.\n</message>",
    );
    await memory.say("on");
    expect(memory.provider.requests.at(-1)?.messages[1]).toMatchObject({ role: "assistant" });
  });

  it("a compaction keeps what answered the last five messages of the person, and their earlier words", async () => {
    const rounds = [1, 1, 3, 3, 9, 0, 0];
    const left: number[] = [];
    const script: Script = (request) => {
      if (isSummary(request)) return saying("Work was done.");
      const { messages } = request;
      if (messages.at(-1)?.role === "user") left.unshift(rounds.shift() ?? 0);
      const [now = 0] = left.splice(0, 1, Math.max(0, (left[0] ?? 0) - 1));
      return now > 0 ? calling(call(`c${messages.length}`, "probe", { n: messages.length })) : saying("done");
    };
    const probe = probeTool("probe", ({ n }) => ({
      status: "ok",
      text: `result ${n} ${"x".repeat(2_000)}`,
      blocks: [],
    }));
    const memory = new MemorySession({
      script,
      tools: [probe],
      contextWindow: 24_000,
      options: { auto_compact_enabled: false },
    });
    const requests = ["rule R1 must hold", "rule R2 must hold", "third", "fourth", "fifth", "sixth"];
    for (const text of requests) await memory.say(text);
    const before = memory.session.context()?.usedTokens ?? 0;
    expect(await memory.session.compact()).toMatchObject({ tokensBefore: before });
    const again = new MemorySession({ script, tools: [probe], log: new MemoryLog("s1", "/work", memory.log.lines) });
    await memory.say("now?");
    await again.say("now?");
    const sent = memory.provider.requests.at(-1)?.messages ?? [];
    expect(again.provider.requests.at(-1)?.messages).toEqual(sent);
    const said = texts(memory.provider.requests.at(-1)) ?? [];
    expect(said[0]).toMatch(/^Summary .*Work was done\..*<message>\nrule R1 must hold\n<\/message>$/s);
    expect(said.filter((each) => requests.includes(each))).toEqual(requests.slice(1));
    const results = sent.flatMap((each) => (each.role === "tool" ? [each.text.length] : []));
    expect(results).toHaveLength(16);
    const shortUpTo = results.findIndex((length) => length > 2_000);
    expect(shortUpTo).toBeGreaterThan(0);
    expect(results.slice(shortUpTo).every((length) => length > 2_000)).toBe(true);
    expect(memory.facts("compaction_update")[0]?.tokensAfter).toBeLessThan(0.4 * (24_000 - 4_096));
    // Includes JSON syntax.
    expect(JSON.stringify(sent).length / 4).toBeLessThan(0.42 * (24_000 - 4_096));
  });

  it("a compaction by a person keeps fewer pairs where a few exchanges fill the window", async () => {
    const long = "a long answer ".repeat(700);
    const script = (request: Parameters<typeof isSummary>[0]) => (isSummary(request) ? saying("short") : saying(long));
    const memory = new MemorySession({ script, contextWindow: 16_384, options: { auto_compact_enabled: false } });
    await chat(memory, 1, 5);
    const answer = await memory.session.compact();
    expect(answer).toMatchObject({ tokensAfter: expect.any(Number) });
    expect(memory.facts("compaction_update")).toHaveLength(1);
  });

  it("a compaction by a person says when there is nothing to compact, or the agent is at work", async () => {
    const memory = new MemorySession({ script: chatting });
    expect(await memory.session.compact()).toEqual({ problem: expect.stringContaining("nothing to compact") });
    await chat(memory, 1, 5);
    expect(await memory.session.compact()).toEqual({ problem: expect.stringContaining("nothing to compact") });
    expect(memory.provider.requests.filter(isSummary)).toEqual([]);
    memory.prompt("go");
    expect(await memory.session.compact()).toEqual({ problem: expect.stringContaining("at work") });
    await memory.session.idle();
  });

  it.each([
    ["fails", failing("network", "no route"), "no route", 0],
    ["is empty", saying("  "), "empty summary", 1],
    ["breaks off", [{ type: "text" as const, text: "half" }], "cut off", 1],
  ])("a compaction by a person changes nothing when the summary %s", async (_name, reply, words, paid) => {
    const script: Script = (request) => (isSummary(request) ? reply : saying("ok"));
    const memory = new MemorySession({ script, ports: { clock: new HurryingClock() } });
    await chat(memory, 1, 8);
    const { length } = memory.log.lines;
    expect(await memory.session.compact()).toMatchObject({ problem: expect.stringContaining(words), provider: {} });
    // A reply that had begun has to be paid for, which is a fact of the log.
    expect(memory.log.lines).toHaveLength(length + paid);
    expect(memory.facts("compaction_update")).toEqual([]);
    await memory.say("on");
    expect(memory.provider.requests.at(-1)?.messages).toHaveLength(17);
  });

  it("a compaction by a person keeps a prompt waiting that comes meanwhile", async () => {
    const memory = new MemorySession({ script: chatting });
    await chat(memory, 1, 8);
    const compacted = memory.session.compact();
    expect(memory.prompt("start", "start")).toEqual({ conflict: expect.stringContaining("compacted") });
    expect(memory.prompt("wait", "queue")).toEqual({ disposition: "queued" });
    await compacted;
    await memory.session.idle();
    expect(texts(memory.provider.requests.at(-1))?.at(-1)).toBe("wait");
    expect(texts(memory.provider.requests.at(-1))?.[0]).toContain("Nothing.");
  });
});

describe("an automatic compaction", () => {
  const big = "x".repeat(6_000);
  /** Reads large files one after another. */
  const working: Script = (request, n) => {
    if (isSummary(request)) return saying(`So far: ${NEEDLE}.`);
    return n < 12 ? calling(call(`c${n}`, "probe", { n })) : saying("done");
  };
  const probe = probeTool("probe", ({ n }) => ({ status: "ok", text: `${n} ${big}`, blocks: [] }));
  /** Writes much text between its calls, so that no result could be shortened first. */
  const writing: Script = (request, n) => {
    if (isSummary(request)) return saying(`So far: ${NEEDLE}.`);
    const text = `${n} ${big.slice(0, 1_400)}`;
    return n < 36 ? calling({ type: "text", text }, call(`c${n}`, "quiet", { n })) : saying("done");
  };
  const quiet = probeTool("quiet", () => ({ status: "ok", text: "ok", blocks: [] }));

  it("an automatic compaction happens at 80 % of the usable window, in the middle of a turn", async () => {
    const memory = new MemorySession({ script: writing, tools: [quiet], contextWindow: 16_384 });
    await memory.say(NEEDLE);
    const compactions = memory.facts("compaction_update");
    expect(compactions.length).toBeGreaterThan(0);
    for (const { reason, tokensBefore, tokensAfter } of compactions) {
      expect(reason).toBe("auto");
      expect(tokensBefore).toBeGreaterThanOrEqual(0.8 * 12_288);
      expect(tokensAfter).toBeLessThan(tokensBefore);
    }
    for (const request of memory.provider.requests) {
      expect(JSON.stringify(request.messages).length / 4).toBeLessThan(12_288);
      const [first] = request.messages;
      expect(JSON.stringify(first)).toContain(NEEDLE);
    }
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("an automatic compaction can be switched off, and people are warned at 70 and 90 %, once each", async () => {
    const memory = new MemorySession({
      script: working,
      tools: [probe],
      contextWindow: 16_384,
      options: { auto_compact_enabled: false },
    });
    await memory.say("go");
    expect(memory.facts("compaction_update")).toEqual([]);
    expect(memory.facts("notice").map((each) => each.severity)).toEqual(["warning", "error"]);
    expect(memory.facts("notice")[0]?.title).toMatch(
      /^The context window is (7\d|8[0-4]) % full \(\d+ of 12288 usable tokens\)\.$/,
    );
  });

  it("an automatic compaction that fails is reported, and not tried before every request", async () => {
    const script: Script = (request, n) => (isSummary(request) ? failing("network") : writing(request, n));
    const memory = new MemorySession({
      script,
      tools: [quiet],
      contextWindow: 16_384,
      ports: { clock: new HurryingClock() },
    });
    await memory.say("go");
    expect(memory.facts("compaction_update").every(({ fallback }) => fallback === "truncated")).toBe(true);
    expect(memory.facts("notice").some((each) => each.description?.includes("the provider says network"))).toBe(true);
    const attempts = memory.provider.requests.filter(isSummary).length;
    expect(memory.provider.requests.length - attempts).toBeGreaterThan(20);
    expect(attempts).toBeLessThanOrEqual(15);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
  });

  it("an automatic compaction cuts a summary that would fill the context window again", async () => {
    const memory = new MemorySession({
      script: (request) =>
        saying((isSummary(request) ? "endless " : "answer ").repeat(isSummary(request) ? 2_000 : 300)),
      contextWindow: 8_192,
    });
    for (let n = 1; n <= 14; n += 1) await memory.say(`message ${n} ${"word ".repeat(200)}`);
    const compactions = memory.facts("compaction_update");
    expect(compactions.length).toBeLessThan(6);
    for (const { summary, tokensAfter } of compactions) {
      expect(summary).toContain("characters left out]");
      expect(tokensAfter).toBeLessThan(6_144 * 0.65);
    }
  });

  it("an automatic compaction shortens old results when the kept messages are too long", async () => {
    const script: Script = (request, n) => {
      if (isSummary(request) || n > 5) return saying("Much.");
      return calling(...["a", "b", "c"].map((key) => call(`${key}${n}`, "probe", { n: `${key}${n}` })));
    };
    const memory = new MemorySession({ script, tools: [probe], contextWindow: 7_400 });
    await memory.say("go");
    const sent = memory.provider.requests
      .filter((request) => !isSummary(request))
      .map(({ messages }) => JSON.stringify(messages));
    expect(sent.some((messages) => messages.includes("left out"))).toBe(true);
    expect(Math.max(...sent.map((messages) => messages.length / 4))).toBeLessThan(8_192);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("a request that is too long for the provider", () => {
  /** Refuses requests with more than this many messages. */
  const narrow =
    (limit: number): Script =>
    (request) => {
      if (isSummary(request)) return saying("Short.");
      return request.messages.length > limit ? failing("overflow", "prompt is too long") : saying("ok ".repeat(200));
    };

  it("a request that is too long for the provider is shortened and sent once more", async () => {
    const memory = new MemorySession({ script: narrow(14) });
    await chat(memory, 1, 8);
    expect(memory.facts("compaction_update")).toMatchObject([{ reason: "overflow" }]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    const said = texts(memory.provider.requests.at(-1));
    expect(said?.[0]).toMatch(/^Summary .*Short\..*<message>\nmessage 1\n<\/message>/s);
    expect(said?.at(-1)).toBe("message 8");
    expect(said?.length).toBeLessThan(10);
  });

  it("a request that is too long for the provider ends the turn when it is still too long", async () => {
    const memory = new MemorySession({ script: narrow(5) });
    await chat(memory, 1, 4);
    expect(memory.facts("compaction_update")).toHaveLength(1);
    const script = memory.provider.requests.filter((request) => !isSummary(request));
    expect(script.length).toBeGreaterThan(3);
    const stuck = new MemorySession({ script: narrow(0) });
    await stuck.say("go");
    expect(stuck.provider.requests).toHaveLength(1);
    expect(stuck.facts("notice")).toMatchObject([
      { severity: "error", description: expect.stringContaining("new session") },
    ]);
    expect(stuck.facts("state_update").at(-1)).toMatchObject({
      stopReason: "error",
      error: { kind: "overflow", message: "prompt is too long" },
    });
  });

  it("a request that is too long for the provider goes without the older messages when no summary can be written", async () => {
    const memory = new MemorySession({
      script: (request) => (isSummary(request) ? failing("auth") : narrow(14)(request, 0)),
    });
    await chat(memory, 1, 8);
    const [compaction] = memory.facts("compaction_update");
    expect(compaction).toMatchObject({ reason: "overflow", fallback: "truncated", pins: ["messages"] });
    expect(compaction?.summary).toMatch(/^\(No summary could be written: .*<message>\nmessage 1\n<\/message>/s);
    expect(memory.facts("notice")).toMatchObject([
      { severity: "warning", description: expect.stringContaining("left out without a summary") },
    ]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.session.state.cost).toEqual(memory.states.folded.cost);
  });
});

describe("a message that is longer than the context window", () => {
  const huge = "x".repeat(40_000);

  it("a message that is longer than the context window is left out as well where only the provider knew", async () => {
    const memory = new MemorySession({
      script: (request) => (JSON.stringify(request.messages).includes("xxxx") ? failing("overflow") : saying("ok")),
    });
    await memory.say(huge);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ error: { kind: "overflow" } });
    await memory.say("short");
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.provider.requests.at(-1)?.messages).toHaveLength(1);
  });

  it("a short message is not taken for the cause of an overflow", async () => {
    let isWide = false;
    const memory = new MemorySession({ script: () => (isWide ? saying("ok") : failing("overflow")) });
    await memory.say("mend x");
    isWide = true;
    await memory.say("go on");
    expect(memory.provider.requests.at(-1)?.messages).toMatchObject([
      { content: [{ text: "mend x" }] },
      { content: [{ text: "go on" }] },
    ]);
  });
});
