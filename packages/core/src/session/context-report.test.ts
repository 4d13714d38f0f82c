import type { ContextReport } from "@harness/protocol";
import { call, calling, MemorySession, memoryTools, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { apportion } from "../context/tokens/apportion.ts";

const files = new Map([["/work/a.ts", "const answer = 42;\n".repeat(100)]]);

function tokensOf(report: ContextReport | { problem: string }): Record<string, number> {
  if ("problem" in report) throw new Error(report.problem);
  return Object.fromEntries(report.sections.map(({ section, tokens }) => [section, tokens]));
}

describe("a split of a number", () => {
  it.each<[number, number[], number[]]>([
    [10, [1, 1, 1], [4, 3, 3]],
    [7, [0, 2, 5], [0, 2, 5]],
    [1, [3, 3], [1, 0]],
    [5, [0, 0], [0, 0]],
    [0, [1, 2], [0, 0]],
  ])("a split of %d by %j has exactly that sum", (total, weights, shares) => {
    expect(apportion(total, weights)).toEqual(shares);
  });
});

describe("what fills the context window", () => {
  it("what fills the context window is known before the first request, and is what that request has", async () => {
    const memory = new MemorySession({ script: [saying("ok")] });
    const before = tokensOf(await memory.session.contextReport());
    expect(before.conversation).toBe(0);
    await memory.say("hello");
    const [request] = memory.provider.requests;
    const system = Math.ceil((request?.system.length ?? 0) / 4);
    const tools = Math.ceil(JSON.stringify(request?.tools).length / 4);
    const { system: own = 0, workspace = 0, instruction_files: files = 0 } = before;
    expect(Math.abs(own + workspace + files - system)).toBeLessThanOrEqual(1);
    expect(Math.abs((before.tools ?? 0) - tools)).toBeLessThanOrEqual(1);
  });

  it("what fills the context window adds up to what the provider counted and what was added since", async () => {
    const usage = { inputTokens: 5_000, outputTokens: 20 };
    const memory = new MemorySession({
      script: [calling(call("c1", "read", { file_path: "a.ts" })), saying("Read.", { usage }), saying("ok")],
      tools: memoryTools(files),
    });
    await memory.say("read a.ts");
    const report = await memory.session.contextReport();
    if ("problem" in report) throw new Error(report.problem);
    expect(report).toMatchObject({ isCounted: true, windowSource: "setting", agentId: "main", pressure: "none" });
    expect(report.usedTokens).toBe(memory.session.context()?.usedTokens);
    expect(report.sections.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(report.usedTokens);
    const results = report.sections.find(({ section }) => section === "tool_results");
    expect(results).toMatchObject({ items: [{ name: "read a.ts" }] });
    expect(results?.tokens).toBeGreaterThan(1_000);
    expect(report.droppable).toMatchObject([
      { kind: "unused_tools", items: expect.arrayContaining([expect.objectContaining({ name: "write" })]) },
    ]);
    expect(JSON.stringify(report.droppable)).not.toContain('"read"');
  });

  it("what fills the context window can be asked for any agent that is at work, and no other", async () => {
    const held = Promise.withResolvers<void>();
    const memory = new MemorySession({
      script: (request) => {
        if (request.priority === "subagent") return [{ type: "until", promise: held.promise }, ...saying("done")];
        return JSON.stringify(request.messages).includes("SUBAGENT")
          ? saying("all done")
          : calling(call("c1", "start_subagent", { task: "count" }));
      },
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "subagent_update");
    const child = memory.facts("subagent_update")[0]?.childAgentId;
    await memory.untilRequests(2);
    expect(await memory.session.contextReport(child)).toMatchObject({ agentId: child });
    held.resolve();
    await memory.session.idle();
    expect(await memory.session.contextReport("agent-9")).toEqual({
      problem: "Agent agent-9 is not running, so it has no next request.",
    });
  });
});
