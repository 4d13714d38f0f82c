import type { Clock, ModelRequest, Provider } from "@harness/core";
import { textOf, type Usage } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { InstantClock } from "../../test/clocks.ts";
import { keptPrefix, wholeContextWindow } from "./context-window-probes.ts";
import { ProbeRunner } from "./probe-runner.ts";
import { type Findings, passedProbe } from "./verdict.ts";

/** Reads a thousand words of a prompt in this many ms, and begins to answer. */
function reader(clock: InstantClock, readMs: (n: number) => number, usage?: Usage) {
  const prompts: string[] = [];
  const plain: Provider = {
    id: "ollama",
    async *stream({ messages }: ModelRequest) {
      const [first] = messages;
      const prompt = first?.role === "user" ? textOf(first.content) : "";
      clock.pass((prompt.split(" ").length / 1_000) * readMs(prompts.length));
      prompts.push(prompt);
      yield { type: "text", text: "Zebra" };
      clock.pass(500);
      yield { type: "end", parts: [{ type: "text", text: "Zebra" }], stop: "end", ...(usage && { usage }) };
    },
  };
  return { plain, prompts };
}

function runner(plain: Provider, clock: Clock, found: Partial<Findings> = {}, local = true): ProbeRunner {
  const vendor = { id: "ollama", name: "Ollama", local, address: "http://127.0.0.1:11434" };
  const choice = { plain, model: "m", contextWindow: { tokens: 16_384, source: "server" as const }, vendor };
  const made = new ProbeRunner({ choice, clock, abilities: undefined, signal: new AbortController().signal });
  Object.assign(made.findings, found);
  return made;
}

async function bothProbes(readMs: (n: number) => number, local = true) {
  const clock = new InstantClock("2026-11-22T12:00:00Z");
  const { plain, prompts } = reader(clock, readMs);
  const window = await wholeContextWindow.run(runner(plain, clock));
  const prefix = await keptPrefix.run(runner(plain, clock, window.findings, local));
  return { window, prefix, prompts };
}

describe("the prefix probe, where the server reports no counts", () => {
  it("starts with exactly the long prompt", async () => {
    const { prompts } = await bothProbes(() => 10);
    const [long = "", short = ""] = prompts;
    const shared = short.slice(0, short.lastIndexOf("\n\n"));
    expect(shared.split(" ").length).toBeGreaterThan(1_050);
    expect(long.startsWith(shared)).toBe(true);
  });

  it("uses times measured before and after when the server is slow", async () => {
    const kept = await bothProbes((n) => (n === 0 ? 4_000 : 100));
    expect(kept.prefix).toMatchObject({
      outcome: "passed",
      detail: expect.stringMatching(/after 0\.1 s instead of the expected 4\.\d s/),
    });
    const repeated = await bothProbes(() => 4_000);
    expect(repeated.prefix).toMatchObject({
      outcome: "failed",
      detail: expect.stringContaining("read the prompt again"),
    });
  });

  it("does not guess from unclear times", async () => {
    expect((await bothProbes(() => 50)).prefix.outcome).toBe("skipped");
    expect((await bothProbes(() => 4_000, false)).prefix.outcome).toBe("skipped");
  });
});

describe("the context window probe", () => {
  it("counts cached tokens that are reported separately as read", async () => {
    const clock = new InstantClock("2026-11-22T12:00:00Z");
    const { plain } = reader(clock, () => 1, { inputTokens: 30, cacheReadTokens: 4_800 });
    expect(await wholeContextWindow.run(runner(plain, clock))).toMatchObject(
      passedProbe(expect.stringContaining("4830 tokens")),
    );
  });
});
