import { describe, expect, it } from "vitest";
import { Slots } from "./slots.ts";

const never = new AbortController().signal;

describe("a pool of slots", () => {
  it("admits up to its limit, and the next in line when one leaves", async () => {
    const slots = new Slots(2);
    const [first] = [await slots.take(never), await slots.take(never)];
    const order: string[] = [];
    const third = slots.take(never).then(() => order.push("third"));
    const fourth = slots.take(never).then(() => order.push("fourth"));
    first?.();
    first?.();
    await third;
    expect(order).toEqual(["third"]);
    void fourth;
  });

  it("keeps no place for a cancelled request", async () => {
    const slots = new Slots(1);
    const giveBack = await slots.take(never);
    const gone = new AbortController();
    const waiting = slots.take(gone.signal);
    gone.abort();
    expect(await waiting).toBe(undefined);
    expect(await slots.take(gone.signal)).toBe(undefined);
    giveBack?.();
    expect(await slots.take(never)).toBeTypeOf("function");
  });
});
