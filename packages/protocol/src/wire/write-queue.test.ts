import { describe, expect, it } from "vitest";
import { MemoryStream } from "../../test/memory-stream.ts";
import { encodeLine } from "./framing.ts";
import { WriteQueue } from "./write-queue.ts";

const roomy = { maxQueuedBytes: 8 * 1024 * 1024, maxQueuedMessages: 10_000 };

function queueOver(limits = roomy) {
  const stream = new MemoryStream();
  const lagged: number[] = [];
  const queue = new WriteQueue(
    { write: stream.write, encode: encodeLine, lagged: (dropped) => lagged.push(dropped) },
    limits,
  );
  /** Fills the peer's pipe, so that what follows waits. */
  const stall = async () => {
    stream.stall();
    queue.push({ method: "first" });
    await stream.written(1);
  };
  const drain = async () => {
    const flushed = queue.flushed();
    stream.resume();
    await flushed;
  };
  return { stream, queue, lagged, stall, drain };
}

const delta = (text: string, method = "delta") => ({ method, params: { text } });
const merging = (mergeKey: string) => ({
  droppable: true,
  mergeKey,
  merge: (older: unknown, newer: unknown) => ({
    text: `${(older as { text: string }).text}${(newer as { text: string }).text}`,
  }),
});

describe("WriteQueue while the peer keeps up", () => {
  it("writes 100,000 messages in large writes, and keeps none", async () => {
    const { stream, queue, lagged } = queueOver();
    for (let i = 0; i < 100_000; i++) queue.push(delta("x"), merging("a"));
    await queue.flushed();
    const text = stream.writes.join("");
    expect(text.split("\n")).toHaveLength(100_001);
    expect(stream.writes.length).toBeLessThan(text.length / (60 * 1024));
    expect(queue.backlog).toEqual({ messages: 0, bytes: 0 });
    expect(lagged).toEqual([]);
  });
});

describe("WriteQueue while the peer is slow", () => {
  it("joins droppable messages of one key, also when another stream's come between", async () => {
    const { stream, queue, stall, drain } = queueOver();
    await stall();
    for (const text of ["1", "2", "3"]) {
      queue.push(delta(`a${text}`), merging("a"));
      queue.push(delta(`b${text}`), merging("b"));
    }
    expect(queue.backlog.messages).toBe(2);
    await drain();
    expect(stream.messages.slice(1)).toEqual([delta("a1a2a3"), delta("b1b2b3")]);
  });

  it("joins nothing across a message that may not be dropped, across methods, or against the merge", async () => {
    const { stream, queue, stall, drain } = queueOver();
    await stall();
    queue.push(delta("1"), merging("a"));
    queue.push({ fact: true });
    queue.push(delta("2"), merging("a"));
    queue.push(delta("3", "other"), merging("a"));
    queue.push(delta("4", "other"), { ...merging("a"), merge: () => undefined });
    queue.push(delta("5", "other"), { droppable: true });
    await drain();
    expect(stream.messages.slice(1)).toEqual([
      delta("1"),
      { fact: true },
      delta("2"),
      delta("3", "other"),
      delta("4", "other"),
      delta("5", "other"),
    ]);
  });

  it("takes each message as it was when it was sent", async () => {
    const { stream, queue, stall, drain } = queueOver();
    await stall();
    const params = { text: "before" };
    queue.push({ method: "fact", params });
    params.text = "after";
    await drain();
    expect(stream.messages.slice(1)).toEqual([{ method: "fact", params: { text: "before" } }]);
  });

  it("joins 10,000 messages by encoding each of them once and the whole once", async () => {
    const { stream, queue, stall, drain } = queueOver();
    await stall();
    for (let i = 0; i < 10_000; i++) queue.push(delta("x"), merging("a"));
    await drain();
    expect(stream.messages.slice(1)).toEqual([delta("x".repeat(10_000))]);
    expect(stream.writes).toHaveLength(2);
  });

  it.each([
    ["messages", { ...roomy, maxQueuedMessages: 10 }],
    ["bytes", { ...roomy, maxQueuedBytes: 10 * `${JSON.stringify(delta("0"))}\n`.length }],
  ])(
    "drops droppable ones at the high-water mark of %s, never others, and tells it once when drained",
    async (_name, limits) => {
      const { stream, queue, lagged, stall, drain } = queueOver(limits);
      await stall();
      for (let i = 0; i < 30; i++) queue.push(delta("0"), { droppable: true });
      queue.push({ fact: 1 });
      queue.push(delta("after a gap"), merging("a"));
      queue.push({ fact: 2 });
      expect(lagged).toEqual([]);
      await drain();
      expect(stream.messages.slice(1)).toEqual([
        ...Array.from({ length: 10 }, () => delta("0")),
        { fact: 1 },
        { fact: 2 },
      ]);
      expect(lagged).toEqual([21]);
      queue.push(delta("again"), { droppable: true });
      await queue.flushed();
      expect(stream.messages.at(-1)).toEqual(delta("again"));
      expect(lagged).toEqual([21]);
    },
  );

  it("forgets everything when it is stopped", async () => {
    const { stream, queue, stall } = queueOver();
    await stall();
    queue.push({ fact: 1 });
    const flushed = queue.flushed();
    queue.stop();
    await flushed;
    queue.push({ fact: 2 });
    stream.resume();
    await Promise.resolve();
    expect(stream.messages).toEqual([{ method: "first" }]);
    expect(queue.backlog).toEqual({ messages: 0, bytes: 0 });
  });
});
