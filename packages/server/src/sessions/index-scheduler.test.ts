import type { SessionUpdate } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { IndexScheduler } from "./index-scheduler.ts";

/** A scheduler whose timers are run by hand. */
function scheduled() {
  const timers: { ms: number; work(): void }[] = [];
  const signals: AbortSignal[] = [];
  const reports: string[] = [];
  let finish: (error?: Error) => void = () => undefined;
  let isWorking = false;
  const scheduler = new IndexScheduler({
    refresh(signal) {
      signals.push(signal);
      return new Promise((done, fail) => {
        finish = (error) => (error ? fail(error) : done());
      });
    },
    isWorking: () => isWorking,
    later(ms, work) {
      const timer = { ms, work };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
    report: (_error, where) => reports.push(where),
  });
  return {
    scheduler,
    signals,
    reports,
    waits: () => timers.map(({ ms }) => ms),
    fire: () => timers.shift()?.work(),
    work: (value: boolean) => {
      isWorking = value;
    },
    async end(error?: Error) {
      finish(error);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

const became = (state: "running" | "idle"): SessionUpdate => ({
  ...{ sessionId: "s", agentId: "main", seq: 1, at: "" },
  update: { sessionUpdate: "state_update", state },
});

describe("the index of searches is refreshed", () => {
  it("half a minute after the start, and soon after a session was closed or a search", () => {
    const { scheduler, waits, fire, signals } = scheduled();
    scheduler.begin();
    expect(waits()).toEqual([30_000]);
    scheduler.onClosed();
    expect(waits()).toEqual([1_000]);
    expect(signals).toHaveLength(0);
    fire();
    expect(signals).toHaveLength(1);
  });

  it("never while an agent works: it waits, and stops when one begins", async () => {
    const { scheduler, waits, fire, signals, work, end } = scheduled();
    work(true);
    scheduler.soon();
    fire();
    expect(signals).toHaveLength(0);
    expect(waits()).toEqual([30_000]);
    work(false);
    fire();
    scheduler.see(became("running"));
    expect(signals[0]?.aborted).toBe(true);
    await end();
    scheduler.see(became("idle"));
    expect(waits()).toEqual([30_000]);
  });

  it("once at a time, and not after the end; a failure is reported and tried again later", async () => {
    const { scheduler, fire, signals, reports, waits, end } = scheduled();
    scheduler.soon();
    fire();
    scheduler.soon();
    fire();
    expect(signals).toHaveLength(1);
    await end(new Error("broken"));
    expect(reports).toEqual(["the index of searches"]);
    scheduler.soon();
    fire();
    expect(signals).toHaveLength(2);
    scheduler.close();
    expect(signals[1]?.aborted).toBe(true);
    scheduler.soon();
    expect(waits()).toEqual([]);
  });
});
