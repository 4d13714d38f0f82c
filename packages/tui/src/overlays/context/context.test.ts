import type { ContextReport } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { frameOf } from "../../../test/frame.ts";
import { settled, testWindow } from "../../../test/scripted-server.ts";

const report: ContextReport = {
  agentId: "main",
  provider: "ollama",
  model: "qwen3-coder",
  usedTokens: 24_000,
  isCounted: true,
  windowTokens: 32_768,
  windowSource: "server",
  usableTokens: 28_672,
  pressure: "warn",
  shrinkTokens: 20_070,
  compactTokens: 22_938,
  sections: [
    { section: "system", tokens: 1_200 },
    { section: "instruction_files", tokens: 800, items: [{ name: "AGENTS.md", tokens: 800 }] },
    { section: "pinned_files", tokens: 0 },
    { section: "tools", tokens: 900, items: ["bash", "edit", "read"].map((name) => ({ name, tokens: 300 })) },
    { section: "conversation", tokens: 5_100 },
    { section: "tool_results", tokens: 16_000 },
  ],
  droppable: [
    {
      kind: "repeated_results",
      title: "Results of calls that were made again later",
      tokens: 7_400,
      advice: "They are shortened by themselves once the window fills.",
      items: [{ name: "read src/main.ts", tokens: 7_400 }],
    },
  ],
};

const shown = (columns: number, rows: number, changes: object = { report }) =>
  frameOf([columns, rows], { overlay: { kind: "context", scroll: 0, ...changes } });

describe("/context", () => {
  it.each([
    [80, 24],
    [200, 60],
  ] as const)("%i\u00d7%i", (columns, rows) => {
    expect(shown(columns, rows)).toMatchSnapshot();
  });

  it("asks for the agent in view", async () => {
    const window = testWindow();
    window.server.answers["session/context"] = () => report;
    window.controller.start();
    await settled();
    window.send("go\r");
    await settled();
    window.server.update("s1", 1, {
      sessionUpdate: "subagent_update",
      childAgentId: "a1",
      task: "look",
      state: "running",
    });
    window.send("/context\r");
    await settled();
    expect(window.store.get().overlay).toEqual({ kind: "context", scroll: 0, report });
    window.send("\u001b");
    for (const key of ["\u0018a", "\u001b[B", "\r"]) window.send(key);
    window.send("/context\r");
    await settled();
    expect(window.server.paramsOf("session/context")).toEqual([
      { sessionId: "s1", agentId: "main" },
      { sessionId: "s1", agentId: "a1" },
    ]);
    window.send("\u001b");
    window.send("/context a2\r");
    await settled();
    expect(window.server.paramsOf("session/context").at(-1)).toEqual({ sessionId: "s1", agentId: "a2" });
  });

  it("says what is wrong: a server that reads less, numbers that do not come", () => {
    const truncated = { ...report, isCounted: false, truncated: { sentTokens: 24_000, readTokens: 4_096 } };
    const text = shown(80, 24, { report: truncated }).join(" ").replace(/\s+/g, " ");
    expect(text).toContain("The server read 4.1k of about 24k tokens of the last prompt");
    expect(text).toContain("Estimated: no request has been counted yet.");
    expect(shown(80, 24, { problem: "The numbers could not be read: gone" }).join("\n")).toContain("gone");
  });
});
