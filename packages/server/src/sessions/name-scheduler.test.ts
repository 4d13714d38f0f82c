import type { NameOutcome } from "@harness/core";
import { expect, it } from "vitest";
import { NameScheduler } from "./name-scheduler.ts";

/** A scheduler with one session, whose timers are run by hand. */
function scheduled(outcomes: (NameOutcome | Error)[]) {
  const timers: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const reports: string[] = [];
  const scheduler = new NameScheduler({
    later(_ms, work) {
      timers.push(work);
      return () => void timers.splice(timers.indexOf(work), timers.includes(work) ? 1 : 0);
    },
    report: (_error, where) => reports.push(where),
  });
  const session = {
    sessionId: "s",
    async nameByModel(signal: AbortSignal) {
      signals.push(signal);
      const outcome = outcomes.shift() ?? "none";
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
  scheduler.onOpened({ session });
  const became = (state: "running" | "idle", agentId = "main"): void =>
    scheduler.see({ sessionId: "s", agentId, seq: 1, at: "", update: { sessionUpdate: "state_update", state } });
  const fire = async (): Promise<void> => {
    timers.shift()?.();
    await new Promise(setImmediate);
  };
  return { scheduler, timers, signals, reports, became, fire };
}

it("a session is named when its turn has ended, and not while the next one runs", async () => {
  const { became, timers, signals, fire } = scheduled(["named"]);
  became("running");
  expect(timers).toHaveLength(0);
  became("idle", "a1");
  expect(timers).toHaveLength(0);
  became("idle");
  became("running");
  expect(timers).toHaveLength(0);
  became("idle");
  await fire();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  became("running");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it("a request that fails is repeated after two more turns, and no more", async () => {
  const { became, signals, fire } = scheduled(["failed", "failed", "failed", "failed"]);
  for (let turn = 0; turn < 5; turn += 1) {
    became("idle");
    await fire();
  }
  expect(signals).toHaveLength(3);
});

it("a session that is closed is not named, and an error is only reported", async () => {
  const { scheduler, became, timers, reports, fire } = scheduled([new Error("a bug")]);
  became("idle");
  await fire();
  expect(reports).toEqual(["the name of a session"]);
  became("idle");
  await scheduler.onClosed("s");
  expect(timers).toHaveLength(0);
  became("idle");
  expect(timers).toHaveLength(0);
});
