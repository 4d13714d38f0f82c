import { applyUpdate, emptySession } from "@harness/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AppState, initialState } from "../state/app-state.ts";
import { tickWithTime } from "./ticker.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function ticking() {
  let state = initialState({ cwd: "/work/demo", version: "1.2.3", size: { columns: 80, rows: 24 } });
  let changed = (): void => undefined;
  const set = (changes: Partial<AppState>): void => {
    state = { ...state, ...changes };
    changed();
  };
  const counts = { spins: 0, frames: 0 };
  const ticker = tickWithTime({
    store: {
      get: () => state,
      subscribe(listener) {
        changed = listener;
        return () => undefined;
      },
    },
    spin() {
      counts.spins += 1;
    },
    draw() {
      counts.frames += 1;
    },
  });
  const within = (ms: number) => {
    Object.assign(counts, { spins: 0, frames: 0 });
    vi.advanceTimersByTime(ms);
    return { ...counts };
  };
  return { set, ticker, within };
}

function atWork(state: "running" | "idle") {
  const session = emptySession("s1");
  const at = "2026-01-01T00:00:00.000Z";
  const update = { sessionUpdate: "state_update", state } as const;
  applyUpdate(session, { sessionId: "s1", seq: 1, at, agentId: "main", update });
  return session;
}

function withProcess(state: "running" | "exited") {
  const session = emptySession("s1");
  const startedAt = "2026-01-01T00:00:00.000Z";
  const process = { processId: "dev", command: "npm run dev", startedAt, state, kept: false, outputPath: "/tmp/out" };
  applyUpdate(session, {
    sessionId: "s1",
    seq: 1,
    at: startedAt,
    agentId: "main",
    update: { sessionUpdate: "process_update", ...process },
  });
  return session;
}

describe("frames that show that time goes by", () => {
  it("come ten times a second while a turn runs, and with them the spinner", () => {
    const { set, within } = ticking();
    set({ session: atWork("running") });
    expect(within(1000)).toEqual({ spins: 10, frames: 10 });
    set({ session: atWork("idle") });
    expect(within(1000)).toEqual({ spins: 0, frames: 0 });
  });

  it("come once a second while only a background command runs", () => {
    const { set, within } = ticking();
    set({ session: withProcess("running") });
    expect(within(10_000)).toEqual({ spins: 0, frames: 10 });
    set({ session: withProcess("exited") });
    expect(within(10_000)).toEqual({ spins: 0, frames: 0 });
  });

  it("come once a minute at rest, for the age of sessions, and never after the end", () => {
    const { ticker, within } = ticking();
    expect(within(120_000)).toEqual({ spins: 0, frames: 2 });
    ticker.stop();
    expect(within(120_000)).toEqual({ spins: 0, frames: 0 });
  });
});
