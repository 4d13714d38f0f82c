import { describe, expect, it } from "vitest";
import { RequestQueue } from "./request-queue.ts";

const never = new AbortController().signal;

describe("RequestQueue", () => {
  it("admits one request of a lane at a time, in their order of arrival", async () => {
    const queue = new RequestQueue();
    const order: string[] = [];
    const leave = await queue.enter("a", never);
    const others = ["second", "third"].map(async (name) => {
      const leaveToo = await queue.enter("a", never);
      order.push(name);
      leaveToo();
    });
    order.push("first");
    leave();
    await Promise.all(others);
    expect(order).toEqual(["first", "second", "third"]);
  });

  it("keeps lanes apart, and admits a request to a free lane at once", () => {
    const queue = new RequestQueue();
    expect(queue.enter("a", never)).toBeTypeOf("function");
    expect(queue.enter("a", never)).toBeInstanceOf(Promise);
    expect(queue.enter("b", never)).toBeTypeOf("function");
  });

  it("removes a cancelled request", async () => {
    const queue = new RequestQueue();
    const leave = await queue.enter("a", never);
    const cancel = new AbortController();
    const second = queue.enter("a", cancel.signal);
    const third = queue.enter("a", never);
    cancel.abort();
    await expect(second).rejects.toMatchObject({ kind: "cancelled" });
    await expect(queue.enter("a", cancel.signal)).rejects.toMatchObject({ kind: "cancelled" });
    leave();
    await expect(third).resolves.toBeTypeOf("function");
  });

  it("admits one request when another leaves twice", async () => {
    const queue = new RequestQueue();
    const leave = await queue.enter("a", never);
    const second = queue.enter("a", never);
    let isThirdIn = false;
    const third = (async () => {
      await queue.enter("a", never);
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
