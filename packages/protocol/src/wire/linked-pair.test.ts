import { describe, expect, it } from "vitest";
import type { Channel } from "./channel.ts";
import { linkedPair } from "./linked-pair.ts";

function listen(channel: Channel): unknown[] {
  const heard: unknown[] = [];
  channel.start({
    message: (value) => heard.push(value),
    unreadable: (error) => heard.push(error),
    ended: () => heard.push("ended"),
    failed: (error) => heard.push(error),
    lagged: (dropped) => heard.push(dropped),
  });
  return heard;
}

/** Messages are delivered in a microtask. */
const delivered = () => new Promise(setImmediate);

describe("linkedPair", () => {
  it("delivers copies in order, never during send, and keeps what comes before the other side listens", async () => {
    const [one, other] = linkedPair();
    const message = { text: "a", list: [1] };
    one.send(message);
    message.list.push(2);
    const heard = listen(other);
    one.send({ text: "b" });
    expect(heard).toEqual([]);
    await delivered();
    expect(heard).toEqual([{ text: "a", list: [1] }, { text: "b" }]);
  });

  it("carries both directions, and an end after what was sent before it", async () => {
    const [one, other] = linkedPair();
    const [heardByOne, heardByOther] = [listen(one), listen(other)];
    other.send({ from: "other" });
    one.send({ last: true });
    await one.end();
    one.send({ late: true });
    await delivered();
    expect(heardByOther).toEqual([{ last: true }, "ended"]);
    expect(heardByOne).toEqual([{ from: "other" }]);
  });

  it("ends for the peer when one side is destroyed, and resolves a pending end", async () => {
    const [one, other] = linkedPair();
    const heard = listen(other);
    other.send({ unread: true });
    const ended = other.end();
    one.destroy();
    await ended;
    await one.end();
    expect(heard).toEqual(["ended"]);
  });

  it("throws at the sender when a message has no JSON form", () => {
    const [one] = linkedPair();
    expect(() => one.send({ big: 1n })).toThrow(TypeError);
  });
});
