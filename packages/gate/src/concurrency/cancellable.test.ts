import { ManualClock } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { cancellable, withGrace } from "./cancellable.ts";

const forever = new Promise<string>(() => undefined);

describe("cancellable waiting", () => {
  it("returns the result without an abort", async () => {
    const { signal } = new AbortController();
    expect(await cancellable(Promise.resolve("a"), signal, () => "b")).toBe("a");
    await expect(cancellable(Promise.reject(new Error("x")), signal, () => "b")).rejects.toThrow("x");
  });

  it("returns the alternative after an abort, before or during the wait", async () => {
    const controller = new AbortController();
    const waiting = cancellable(forever, controller.signal, () => "b");
    controller.abort();
    expect(await waiting).toBe("b");
    expect(await cancellable(forever, controller.signal, async () => "c")).toBe("c");
  });

  it("grants the aborted work a grace period, and no more", async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    let end: (text: string) => void = () => undefined;
    const ending = new Promise<string>((resolve) => {
      end = resolve;
    });
    const inTime = withGrace(ending, controller.signal, clock, () => "late");
    const late = withGrace(forever, controller.signal, clock, () => "late");
    controller.abort();
    end("in time");
    expect(await inTime).toBe("in time");
    expect(clock.sleeping).toBe(1);
    clock.advance(10_000);
    expect(await late).toBe("late");
  });
});
