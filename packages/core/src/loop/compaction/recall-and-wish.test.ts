import { call, calling, MemoryLog, MemorySession, memoryTools, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../ports/provider.ts";

const isSummary = (request: ModelRequest) => request.priority === "background";
const NEEDLE = "the password of the test is xyzzy";
const offered = (memory: MemorySession) => memory.provider.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
const lastResult = (memory: MemorySession) =>
  memory.facts("tool_call_update").findLast(({ outcome }) => outcome)?.outcome;

/** Eight exchanges, with the needle in a result of the first; then a compaction that forgets it. */
async function compacted(then: Script, contextWindow = 128_000) {
  const files = new Map([["/work/notes.md", `${"Nothing here. ".repeat(700)}${NEEDLE}`]]);
  let isOver = false;
  const script: Script = (request, n) => {
    if (isSummary(request)) return saying("You have read notes.");
    if (isOver) return then(request, n);
    return n === 0 ? calling(call("n", "read", { file_path: "notes.md" })) : saying("ok");
  };
  const memory = new MemorySession({
    script,
    tools: memoryTools(files),
    contextWindow,
    options: { auto_compact_enabled: false },
  });
  for (let n = 0; n < 8; n += 1) await memory.say(`message ${n}`);
  expect(offered(memory)).not.toContain("recall");
  expect(await memory.session.compact()).toHaveProperty("tokensAfter");
  isOver = true;
  return memory;
}

describe("what left the context", () => {
  it.each([8_192, 128_000])(
    "what left the context is found by words and read in parts, in a window of %d",
    async (window) => {
      const asked: Record<string, unknown>[] = [
        { query: "password xyzzy" },
        { seq: 0 },
        { seq: 0, part: 2 },
        { seq: 0, part: 99 },
        {},
      ];
      let at = 0;
      const memory = await compacted(() => {
        const args = asked[at];
        at += 1;
        return args ? calling(call(`r${at}`, "recall", args)) : saying("done");
      }, window);
      const seq = memory.log.facts.find(({ update }) => JSON.stringify(update).includes('"outcome"'))?.seq ?? 0;
      for (const args of asked) if ("seq" in args) args.seq = seq;
      await memory.say("what was the password?");
      expect(
        memory.provider.requests.findLast((request) => !isSummary(request))?.tools.map(({ name }) => name),
      ).toContain("recall");
      const results = memory
        .facts("tool_call_update")
        .flatMap(({ outcome }) => (outcome ? [outcome] : []))
        .slice(1);
      expect(results[0]?.text).toContain(`[${seq}] result of read`);
      expect(results[0]?.text).toContain(NEEDLE);
      expect(results[1]?.text).toMatch(/^\[\d+\] result of read \(part 1 of \d\):\nNothing here\./);
      expect(results[2]?.text).toMatch(/\(part 2 of \d\)/);
      expect(results.slice(3)).toMatchObject([
        { status: "error", text: expect.stringMatching(/^There are only \d parts\.$/) },
        { status: "error", text: expect.stringContaining("`query`") },
      ]);
      const again = new MemorySession({
        script: [saying("x")],
        tools: memoryTools(),
        contextWindow: window,
        log: new MemoryLog("s1", "/work", memory.log.lines),
      });
      await again.say("on");
      expect(offered(again)).toEqual(offered(memory));
    },
  );

  it("what left the context of other agents is found only when it is asked for", async () => {
    let calls = 0;
    const memory = await compacted((request) => {
      if (request.priority === "subagent") {
        calls += 1;
        return calls < 3
          ? calling(call(`k${calls}`, "recall", { query: "xyzzy", all_agents: calls === 2 }))
          : saying("done");
      }
      return request.messages.at(-1)?.role === "user" && calls === 0
        ? calling(call("s", "start_subagent", { task: "look" }))
        : saying("done");
    });
    await memory.say("go");
    const texts = memory
      .facts("tool_call_update")
      .flatMap(({ toolCallId, outcome }) => (outcome && toolCallId.startsWith("k") ? [outcome.text] : []));
    expect(texts[0]).toContain("No match for xyzzy in this session");
    expect(texts[1]).toContain(NEEDLE);
  });
});

describe("a compaction that the model asks for", () => {
  const asking = (focus?: string): Script => {
    let asked = false;
    return (request) => {
      if (isSummary(request)) return saying("You did much.");
      const last = request.messages.at(-1);
      if (asked || last?.role !== "user" || !JSON.stringify(last).includes("now")) return saying("ok");
      asked = true;
      return calling(call("c", "auto_compact", focus === undefined ? {} : { focus }));
    };
  };

  it("a compaction that the model asks for comes before its next request, with its focus, and parts no call from its result", async () => {
    const memory = new MemorySession({ script: asking("the API") });
    for (let n = 0; n < 8; n += 1) await memory.say(`message ${n}`);
    expect(offered(memory)).not.toContain("auto_compact");
    await memory.say("now");
    expect(memory.facts("compaction_update")).toMatchObject([{ reason: "auto", focus: "the API" }]);
    expect(JSON.stringify(memory.provider.requests.find(isSummary)?.messages)).toContain("Above all, keep: the API");
    const { messages = [] } = memory.provider.requests.at(-1) ?? {};
    expect(messages.slice(-2).map(({ role }) => role)).toEqual(["assistant", "tool"]);
    expect(lastResult(memory)).toMatchObject({ status: "ok" });
    await memory.say("on");
    expect(memory.facts("compaction_update")).toHaveLength(1);
  });

  it.each([
    ["is switched off", 8, { auto_compact_enabled: false }, "turned off"],
    ["would bring nothing", 1, {}, "nothing to summarise"],
  ])("a compaction that the model asks for is refused where it %s", async (_name, count, options, words) => {
    const memory = new MemorySession({ script: asking(), options });
    for (let n = 0; n < count; n += 1) await memory.say(`message ${n}`);
    await memory.say("now");
    expect(memory.facts("compaction_update")).toEqual([]);
    expect(lastResult(memory)).toMatchObject({ status: "error", text: expect.stringContaining(words) });
  });
});
