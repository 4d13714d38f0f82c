import { ManualClock } from "@harness/testkit";
import { expect, it } from "vitest";
import { whenReady } from "./when-ready.ts";

const never = new Promise<never>(() => undefined);
const later = () => new Promise((done) => setImmediate(done, "later"));

function opened({ edits = Promise.resolve(), rootsNoted = Promise.resolve() as Promise<unknown> } = {}) {
  return { session: { rootsNoted, edits: { ready: edits } } };
}

it("waits until it is known where the folders lead", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const entry = opened({ rootsNoted: promise });
  const ready = whenReady(entry, new ManualClock());
  expect(await Promise.race([ready, later()])).toBe("later");
  resolve();
  expect(await ready).toBe(entry);
});

it("does not wait for ever for a folder that does not answer", async () => {
  const clock = new ManualClock();
  const entry = opened({ rootsNoted: never });
  const ready = whenReady(entry, clock);
  await later();
  clock.advance(999);
  expect(await Promise.race([ready, later()])).toBe("later");
  clock.advance(1);
  expect(await ready).toBe(entry);
});

it("waits for the edits of an earlier life, however long they take", async () => {
  const clock = new ManualClock();
  const ready = whenReady(opened({ edits: never }), clock);
  clock.advance(60_000);
  expect(await Promise.race([ready, later()])).toBe("later");
});
