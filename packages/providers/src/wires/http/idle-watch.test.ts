import type { Clock } from "@harness/core";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/clocks.ts";
import { IdleWatch } from "./idle-watch.ts";

function watch(totalMs?: number) {
  const clock = new ManualClock();
  const idle: string[] = [];
  const watched = new IdleWatch(clock, {
    onIdle: (phase, limitMs) => idle.push(`${phase} ${limitMs}`),
    ...(totalMs !== undefined && { totalMs }),
  });
  return { clock, idle, watched };
}

describe("IdleWatch", () => {
  it("reports once that nothing happened for the whole limit", async () => {
    const { clock, idle, watched } = watch();
    watched.phase("answer", 60_000);
    await clock.pass(59_000);
    expect(idle).toEqual([]);
    await clock.pass(600_000);
    expect(idle).toEqual(["answer 60000"]);
  });

  it("counts every sign of life, also empty pings", async () => {
    const { clock, idle, watched } = watch();
    watched.phase("stream", 120_000);
    for (let minute = 0; minute < 60; minute += 1) {
      await clock.pass(60_000);
      watched.touch();
    }
    expect(idle).toEqual([]);
    await clock.pass(140_000);
    expect(idle).toEqual(["stream 120000"]);
  });

  it("ends a request that shows signs of life and never finishes", async () => {
    const { clock, idle, watched } = watch(3_600_000);
    watched.phase("stream", 120_000);
    for (let minute = 0; minute < 59; minute += 1) {
      await clock.pass(60_000);
      watched.touch();
    }
    expect(idle).toEqual([]);
    await clock.pass(60_000);
    expect(idle).toEqual(["total 3600000"]);
  });

  it("starts a new phase with its own limit", async () => {
    const { clock, idle, watched } = watch();
    watched.phase("connect", 10_000);
    await clock.pass(9_000);
    watched.phase("answer", 600_000);
    await clock.pass(599_000);
    expect(idle).toEqual([]);
    await clock.pass(20_000);
    expect(idle).toEqual(["answer 600000"]);
  });

  it("sleeps on through the start of a phase with a longer limit", async () => {
    const { clock, idle } = watch();
    const sleeps: (AbortSignal | undefined)[] = [];
    const counted: Clock = {
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      sleep(ms, signal) {
        sleeps.push(signal);
        return clock.sleep(ms, signal);
      },
    };
    const watched = new IdleWatch(counted, { onIdle: (phase) => idle.push(phase) });
    watched.phase("connect", 10_000);
    watched.phase("answer", 60_000);
    await clock.pass(0);
    expect(sleeps.map((signal) => signal?.aborted)).toEqual([false]);
    await clock.pass(70_000);
    expect(idle).toEqual(["answer"]);
  });

  it("can shorten a limit while it sleeps", async () => {
    const { clock, idle, watched } = watch();
    watched.phase("stream", 600_000);
    await clock.pass(20_000);
    watched.phase("close", 5_000);
    await clock.pass(6_000);
    expect(idle).toEqual(["close 5000"]);
  });

  it("is silent after it was stopped", async () => {
    const { clock, idle, watched } = watch();
    watched.phase("stream", 1_000);
    watched.stop();
    watched.phase("close", 1);
    await clock.pass(10_000);
    expect(idle).toEqual([]);
  });

  it("counts the hours in which the machine slept as one slice", async () => {
    const { clock, idle, watched } = watch();
    // One timer that comes far too late, as after a suspend.
    let wake: () => void = () => undefined;
    const late = {
      ...clock,
      now: () => 0,
      monotonicMs: () => 0,
      sleep: () => new Promise<void>((done) => (wake = done)),
    };
    const other = new IdleWatch(late, { onIdle: (phase) => idle.push(phase) });
    other.phase("stream", 120_000);
    wake();
    await new Promise((resolve) => setImmediate(resolve));
    expect(idle).toEqual([]);
    other.stop();
    watched.stop();
  });
});
