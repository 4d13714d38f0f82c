import { call, calling, MemoryLog, MemorySession, memoryTools, probeTool, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { fairShares } from "../../context/shrinking/fair-shares.ts";

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `line ${n + 1} of ${name}`).join("\n");
const huge = lines("a long log", 3_000);
const savedIn = (text: string) => /The whole text is in (\S+)\. Read it in parts/.exec(text)?.[1] ?? "";
const failing = (kind: "overflow" | "network") =>
  [{ type: "failed", failure: { kind, message: "prompt is too long" } }] as const;
const results = (memory: MemorySession, n: number) =>
  (memory.provider.requests[n]?.messages ?? []).flatMap((each) => (each.role === "tool" ? [each.text] : []));

function userText(memory: MemorySession, n = -1): string {
  const message = memory.provider.requests.at(n)?.messages.findLast(({ role }) => role === "user");
  const [part] = message?.role === "user" ? message.content : [];
  return part?.type === "text" ? part.text : "";
}

describe("fair shares", () => {
  it.each<[number[], number, number[]]>([
    [[100, 100], 100, [50, 50]],
    [[10, 300, 300], 210, [10, 100, 100]],
    [[10, 20], 100, [10, 20]],
    [[10], -5, [0]],
    [[], 5, []],
  ])("fair shares of %j in %d are %j", (needs, room, shares) => {
    expect(fairShares(needs, room)).toEqual(shares);
  });
});

describe("a message that is too long for the context window", () => {
  it("a message that is too long is sent as its beginning and end, with the file that has all of it", async () => {
    const memory = new MemorySession({ script: () => saying("ok"), contextWindow: 8_192 });
    await memory.say(huge);
    const text = userText(memory);
    expect(text.length).toBeLessThan(8_600);
    expect(text.startsWith("line 1 of a long log\n")).toBe(true);
    expect(text.endsWith("line 3000 of a long log")).toBe(true);
    expect(memory.log.texts.get(savedIn(text))).toBe(huge);
    expect(memory.facts("user_message")[0]?.content).toEqual([{ type: "text", text: huge }]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    const [item] = memory.session.state.agents.get("main")?.items.filter(({ kind }) => kind === "notice") ?? [];
    expect(item).toMatchObject({
      severity: "warning",
      title: `The message was too long for the context window: the model gets its beginning and end, and can read the rest in ${savedIn(text)}.`,
    });
    await memory.say("short");
    const again = new MemorySession({
      script: [saying("ok")],
      contextWindow: 8_192,
      log: new MemoryLog("s1", "/work", memory.log.lines),
    });
    await memory.say("after");
    await again.say("after");
    expect(again.provider.requests[0]?.messages).toEqual(memory.provider.requests.at(-1)?.messages);
    expect(memory.facts("agent_message").some(({ prefix }) => prefix?.break)).toBe(false);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("a message that is too long and has no line ends says that it must be read by characters", async () => {
    const memory = new MemorySession({ script: () => saying("ok"), contextWindow: 8_192 });
    await memory.say("x".repeat(50_000));
    expect(userText(memory)).toContain("Read it in parts, by characters, because its lines are long.");
  });

  it("a message that is too long among several is cut, and the short ones are not", async () => {
    const memory = new MemorySession({ script: () => saying("ok"), contextWindow: 8_192 });
    const content = ["Why does this fail?", huge, "Be brief."].map((text) => ({ type: "text" as const, text }));
    memory.session.prompt("p", content, "start");
    await memory.session.idle();
    const [message] = memory.provider.requests[0]?.messages ?? [];
    expect(message).toMatchObject({
      content: [{ text: "Why does this fail?" }, { text: expect.stringContaining("left out") }, { text: "Be brief." }],
    });
  });

  it("a message that only the provider finds too long is cut to half and sent once more", async () => {
    const script: Script = (request) =>
      JSON.stringify(request.messages).length > 60_000 ? [...failing("overflow")] : saying("ok");
    const memory = new MemorySession({ script });
    await memory.say(huge);
    expect(memory.facts("context_update")).toMatchObject([{ reason: "too_long" }]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.log.texts.get(savedIn(userText(memory)))).toBe(huge);
  });

  it("a message of more pictures than fit is refused, and the session goes on without it", async () => {
    const memory = new MemorySession({ script: () => saying("ok"), contextWindow: 8_192 });
    const picture = { type: "image" as const, mimeType: "image/png", data: "aGk=" };
    memory.session.prompt(
      "p",
      Array.from({ length: 9 }, () => picture),
      "start",
    );
    await memory.session.idle();
    expect(memory.provider.requests).toEqual([]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({
      stopReason: "error",
      error: { kind: "overflow", message: expect.stringContaining("Send fewer images") },
    });
    await memory.say("short");
    expect(memory.provider.requests.at(-1)?.messages).toMatchObject([{ content: [{ text: "short" }] }]);
  });
});

describe("results that are too long together", () => {
  const big = probeTool("big", ({ n }) => ({ status: "ok", text: lines(`output ${n}`, 350), blocks: [] }));
  const small = probeTool("small", () => ({ status: "ok", text: "a few words", blocks: [] }));

  it("results that are too long together share the room, and each names the file that has all of it", async () => {
    const calls = [1, 2, 3, 4].map((n) => call(`c${n}`, "big", { n }));
    const memory = new MemorySession({
      script: [calling(...calls, call("c5", "small", {})), saying("ok"), saying("ok")],
      tools: [big, small],
      contextWindow: 8_192,
    });
    await memory.say("go");
    const [a, b, c, d, e] = results(memory, 1);
    expect(e).toBe("a few words");
    for (const [index, text] of [a, b, c, d].entries()) {
      expect(text?.length).toBeLessThan(4_800);
      expect(memory.log.texts.get(savedIn(text ?? ""))).toBe(lines(`output ${index + 1}`, 350));
    }
    expect(memory.facts("compaction_update")).toEqual([]);
    expect(memory.facts("context_update")).toMatchObject([
      { reason: "too_long", title: expect.stringMatching(/^4 tool results were too long/) },
    ]);
    expect(memory.facts("agent_message").some(({ prefix }) => prefix?.break)).toBe(false);
    expect(memory.facts("tool_call_update").find(({ outcome }) => outcome)?.outcome?.text).toContain("line 350");
  });

  it("a result that is too long by itself names a file with all of it, unless it can be asked for again", async () => {
    const files = new Map([["/work/a.ts", huge]]);
    const longer = probeTool("longer", () => ({ status: "ok", text: huge, blocks: [] }));
    const memory = new MemorySession({
      script: [calling(call("a", "read", { file_path: "a.ts" }), call("b", "longer", {})), saying("ok")],
      tools: [...memoryTools(files), longer],
      contextWindow: 32_768,
    });
    await memory.say("go");
    const [read, other] = results(memory, 1);
    expect(read).toContain("Ask for less: a smaller range");
    expect(memory.log.texts.get(savedIn(other ?? ""))).toBe(huge);
    expect(memory.log.texts.size).toBe(1);
  });
});
