import { ManualClock } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { cancellable, withGrace } from "./cancellable.ts";

const forever = new Promise<string>(() => undefined);

describe("waiting that can be given up", () => {
  it("gives what came when nobody aborts", async () => {
    const { signal } = new AbortController();
    expect(await cancellable(Promise.resolve("a"), signal, () => "b")).toBe("a");
    await expect(cancellable(Promise.reject(new Error("x")), signal, () => "b")).rejects.toThrow("x");
  });

  it("gives the other thing after an abort, before or while it waits", async () => {
    const controller = new AbortController();
    const waiting = cancellable(forever, controller.signal, () => "b");
    controller.abort();
    expect(await waiting).toBe("b");
    expect(await cancellable(forever, controller.signal, async () => "c")).toBe("c");
  });

  it("gives what was stopped a while to end, and no longer", async () => {
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
