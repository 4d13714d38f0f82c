import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { IdleWait } from "./idle-wait.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("a person is notified once that an agent has waited for a minute, and not at all when it works or its session ends before", () => {
  const tell = vi.fn();
  const wait = new IdleWait(tell);
  wait.update(true);
  vi.advanceTimersByTime(59_999);
  expect(tell).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300_000);
  expect(tell).toHaveBeenCalledTimes(1);
  wait.update(true);
  wait.update(false);
  vi.advanceTimersByTime(300_000);
  wait.update(true);
  wait.end();
  vi.advanceTimersByTime(300_000);
  expect(tell).toHaveBeenCalledTimes(1);
});
