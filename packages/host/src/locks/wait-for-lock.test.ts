import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type LockClock, waitForLock } from "./wait-for-lock.ts";

let folder = "";
const path = () => join(folder, "below", "lock");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock: LockClock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
  sleep: () => new Promise((resolve) => setImmediate(resolve)),
};
const forever = Number.POSITIVE_INFINITY;

it("waitForLock lets one holder in at a time", async () => {
  const first = await waitForLock(path(), forever, clock);
  const looked = Promise.withResolvers<"looked">();
  let looks = 0;
  const counting = {
    ...clock,
    sleep: (): Promise<void> => {
      looks += 1;
      if (looks === 5) looked.resolve("looked");
      return clock.sleep(0);
    },
  };
  const second = waitForLock(path(), forever, counting);
  expect(await Promise.race([second, looked.promise])).toBe("looked");
  if ("release" in first) first.release();
  expect(await second).toHaveProperty("release");
});

it("waitForLock does not wait for an owner that is gone", async () => {
  await waitForLock(path(), 0, clock);
  const gone = { pid: 2 ** 22 + 1, host: hostname(), instanceId: "gone", at: "then" };
  writeFileSync(path(), JSON.stringify(gone));
  expect(await waitForLock(path(), forever, clock)).toHaveProperty("release");
});

it("waitForLock waits for an owner on another computer until the signal aborts", async () => {
  await waitForLock(path(), 0, clock);
  const elsewhere = { pid: 1, host: "another-computer", instanceId: "theirs", at: "then" };
  writeFileSync(path(), JSON.stringify(elsewhere));
  const stop = new AbortController();
  const stopping = { ...clock, sleep: async () => stop.abort() };
  expect(await waitForLock(path(), forever, stopping, stop.signal)).toEqual({ owner: elsewhere });
  expect(existsSync(path())).toBe(true);
});

it("waitForLock gives up after its time limit and names the owner", async () => {
  await waitForLock(path(), 0, clock);
  expect(await waitForLock(path(), 0, clock)).toMatchObject({ owner: { pid: process.pid } });
});
