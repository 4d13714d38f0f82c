import { describe, expect, it } from "vitest";
import { Lanes } from "./lanes.ts";

const never = new AbortController().signal;

describe("Lanes", () => {
  it("lets one in at a time, in the order in which they came", async () => {
    const lanes = new Lanes();
    const order: string[] = [];
    const leave = await lanes.enter("a", never);
    const others = ["second", "third"].map(async (name) => {
      const leaveToo = await lanes.enter("a", never);
      order.push(name);
      leaveToo();
    });
    order.push("first");
    leave();
    await Promise.all(others);
    expect(order).toEqual(["first", "second", "third"]);
  });

  it("keeps lanes apart, and lets one into a free lane without waiting", () => {
    const lanes = new Lanes();
    expect(lanes.enter("a", never)).toBeTypeOf("function");
    expect(lanes.enter("a", never)).toBeInstanceOf(Promise);
    expect(lanes.enter("b", never)).toBeTypeOf("function");
  });

  it("takes a cancelled one out of the queue", async () => {
    const lanes = new Lanes();
    const leave = await lanes.enter("a", never);
    const cancel = new AbortController();
    const second = lanes.enter("a", cancel.signal);
    const third = lanes.enter("a", never);
    cancel.abort();
    await expect(second).rejects.toMatchObject({ kind: "cancelled" });
    await expect(lanes.enter("a", cancel.signal)).rejects.toMatchObject({ kind: "cancelled" });
    leave();
    await expect(third).resolves.toBeTypeOf("function");
  });

  it("does not let two in when one leaves twice", async () => {
    const lanes = new Lanes();
    const leave = await lanes.enter("a", never);
    const second = lanes.enter("a", never);
    let isThirdIn = false;
    const third = (async () => {
      await lanes.enter("a", never);
      isThirdIn = true;
    })();
    leave();
    leave();
    const leaveSecond = await second;
    expect(isThirdIn).toBe(false);
    leaveSecond();
    await third;
  });
});
