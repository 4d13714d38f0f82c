import { describe, expect, it } from "vitest";
import type { HookAnswer } from "../runs/hook-runner.ts";
import type { HookEntry } from "../stage-names.ts";
import { runChain } from "./run-chain.ts";

const hook = (name: string): HookEntry => ({
  kind: "hook",
  name,
  path: `/h/${name}`,
  stage: "resolve",
  source: { folder: "/h", owner: "person", layout: "harness" },
  isExecutable: true,
  stamp: "",
});
const chain = (answers: Record<string, HookAnswer>) => {
  const seen: unknown[] = [];
  const run = async (each: HookEntry, input: unknown) => {
    seen.push(input);
    return answers[each.name] ?? { outcome: "ok" as const, answer: {} };
  };
  return { seen, result: runChain(Object.keys(answers).map(hook), { model: "a" }, run) };
};

describe("hooks outside of turns", () => {
  it("hooks outside of turns get the answer of the hook before, or its input", async () => {
    const { seen, result } = chain({
      "10-a": { outcome: "ok", answer: { model: "b" } },
      "20-b": { outcome: "ok", answer: {} },
      "30-c": { outcome: "ok", answer: { model: "c" } },
    });
    expect(await result).toEqual({ value: { model: "c" } });
    expect(seen).toEqual([{ model: "a" }, { model: "b" }, { model: "b" }]);
  });

  it.each<[HookAnswer, string]>([
    [{ outcome: "refused", words: "no model.", exit: "exit 1" }, "ended with exit 1: no model."],
    [{ outcome: "refused", words: "", exit: "exit 2" }, "ended with exit 2."],
    [{ outcome: "failed", words: "did not end within 30 s", exit: "SIGTERM" }, "did not end within 30 s."],
  ])("hooks outside of turns end the chain when one fails: %j", async (answer, words) => {
    const { seen, result } = chain({ "10-a": answer, "20-b": { outcome: "ok", answer: {} } });
    expect(await result).toEqual({ problem: `The hook /h/10-a of the stage resolve ${words}` });
    expect(seen).toHaveLength(1);
  });
});
