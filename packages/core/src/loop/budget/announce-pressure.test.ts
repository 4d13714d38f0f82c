import { call, calling, MemorySession, probeTool, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { PressureMeter } from "../turn/pressure-meter.ts";

describe("a warning that the context window is full", () => {
  it("a warning comes once for each threshold, and again only after a clear fall", () => {
    const meter = new PressureMeter();
    const said = [50, 70, 72, 69, 71, 66, 70, 64, 70, 90, 88, 91, 84, 90, 20, 95].map((percent) =>
      meter.announce(percent * 300, 34_096),
    );
    const none = undefined;
    expect(said).toEqual([
      ...[none, "warn", none, none, none, none, none, none, "warn"],
      ...["critical", none, none, none, "critical", none, "critical"],
    ]);
  });

  const quiet = probeTool("quiet", () => ({ status: "ok", text: "ok", blocks: [] }));
  const counting =
    (...tokens: number[]): Script =>
    (_request, n) => {
      const inputTokens = tokens[n];
      const usage = inputTokens === undefined ? {} : { usage: { inputTokens, outputTokens: 1 } };
      if (n === tokens.length - 1) return saying("done", usage);
      return calling(call(`c${n}`, "quiet", { n })).map((event) =>
        event.type === "end" ? { ...event, ...usage } : event,
      );
    };

  it("a warning of a tiny window says that instructions and tools take it, and what to do", async () => {
    const memory = new MemorySession({
      script: counting(560, 570, 580),
      tools: [
        quiet,
        ...Array.from({ length: 20 }, (_, n) =>
          probeTool(`tool${n}`, () => ({ status: "ok", text: "ok", blocks: [] })),
        ),
      ],
      contextWindow: 1_024,
      options: { auto_compact_enabled: false },
    });
    await memory.say("hi");
    const notices = memory.facts("notice").filter(({ title }) => title.includes("context window"));
    expect(notices).toMatchObject([
      {
        severity: "warning",
        description: expect.stringMatching(
          /^Instructions and tools alone take about \d+ of them.+larger context window\.$/,
        ),
      },
    ]);
  });

  it("a warning does not come from the estimate of a first request", async () => {
    const memory = new MemorySession({
      script: counting(300),
      tools: [quiet],
      contextWindow: 1_024,
      options: { auto_compact_enabled: false },
    });
    await memory.say("hi");
    expect(memory.facts("notice").filter(({ title }) => title.includes("% full"))).toEqual([]);
  });

  it("a warning of a conversation says what happens then, and the last one is loud", async () => {
    const memory = new MemorySession({
      script: counting(1_000, 9_000, 11_500, 11_600),
      tools: [quiet],
      contextWindow: 16_384,
      options: { auto_compact_enabled: false },
    });
    await memory.say("hi");
    const notices = memory.facts("notice").filter(({ title }) => title.includes("context window"));
    expect(notices.map(({ severity }) => severity)).toEqual(["warning", "error"]);
    expect(notices[0]?.description).toBe("/compact summarises older messages. /context shows what fills it.");
  });
});
