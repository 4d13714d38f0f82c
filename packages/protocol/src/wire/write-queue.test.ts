import { describe, expect, it } from "vitest";
import { MemoryStream } from "../../test/memory-stream.ts";
import { encodeMessage, WriteQueue } from "./write-queue.ts";

const roomy = { maxQueuedBytes: 8 * 1024 * 1024, maxQueuedMessages: 10_000 };

function queueOver(limits = roomy) {
  const stream = new MemoryStream();
  const lagged: number[] = [];
  const queue = new WriteQueue({ write: stream.write, lagged: (dropped) => lagged.push(dropped) }, limits);
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

const delta = (text: string) => ({ method: "delta", params: { text } });
const droppable = { droppable: true };

describe("encodeMessage", () => {
  it("writes one line for any text", () => {
    const line = encodeMessage({ text: "a\nb\r\u2028\u2029\u0000" });
    expect(line).not.toContain("\n");
    expect(line).toContain("\u2028\u2029");
    expect(JSON.parse(line)).toEqual({ text: "a\nb\r\u2028\u2029\u0000" });
  });

  it("writes half a surrogate pair, and nothing else, as U+FFFD", () => {
    const written = JSON.parse(
      encodeMessage({ half: "x\ud83d", other: "\ude00y", whole: "😀", text: "\\ud83d", two: "\\\\\ud83d" }),
    );
    expect(written).toEqual({ half: "x\ufffd", other: "\ufffdy", whole: "😀", text: "\\ud83d", two: "\\\\\ufffd" });
  });
});

describe("WriteQueue while the peer keeps up", () => {
  it("writes 100,000 messages in large writes, and keeps none", async () => {
    const { stream, queue, lagged } = queueOver();
    for (let i = 0; i < 100_000; i++) queue.push(delta("x"), droppable);
    await queue.flushed();
    const text = stream.writes.join("");
    expect(text.split("\n")).toHaveLength(100_001);
    expect(stream.writes.length).toBeLessThan(text.length / (60 * 1024));
    expect(lagged).toEqual([]);
  });
});

describe("WriteQueue while the peer is slow", () => {
  it("takes each message as it was when it was sent", async () => {
    const { stream, queue, stall, drain } = queueOver();
    await stall();
    const params = { text: "before" };
    queue.push({ method: "fact", params });
    params.text = "after";
    await drain();
    expect(stream.messages.slice(1)).toEqual([{ method: "fact", params: { text: "before" } }]);
  });

  it("sends queued messages in large writes once the peer reads again", async () => {
    const { stream, queue, stall, drain } = queueOver({ ...roomy, maxQueuedMessages: 20_000 });
    await stall();
    for (let i = 0; i < 10_000; i++) queue.push(delta(`${i}`), droppable);
    await drain();
    expect(stream.messages.slice(1)).toEqual(Array.from({ length: 10_000 }, (_, i) => delta(`${i}`)));
    expect(stream.writes.length).toBeLessThan(10);
  });

  it.each([
    ["messages", { ...roomy, maxQueuedMessages: 10 }],
    ["bytes", { ...roomy, maxQueuedBytes: 10 * `${JSON.stringify(delta("0"))}\n`.length }],
  ])(
    "drops droppable ones at the high-water mark of %s, never others, and tells it once when drained",
    async (_name, limits) => {
      const { stream, queue, lagged, stall, drain } = queueOver(limits);
      await stall();
      for (let i = 0; i < 30; i++) queue.push(delta("0"), droppable);
      queue.push({ fact: 1 });
      queue.push(delta("after a gap"), droppable);
      queue.push({ fact: 2 });
      expect(lagged).toEqual([]);
      await drain();
      expect(stream.messages.slice(1)).toEqual([
        ...Array.from({ length: 10 }, () => delta("0")),
        { fact: 1 },
        { fact: 2 },
      ]);
      expect(lagged).toEqual([21]);
      queue.push(delta("again"), droppable);
      await queue.flushed();
      expect(stream.messages.at(-1)).toEqual(delta("again"));
      expect(lagged).toEqual([21]);
    },
  );

  it("discards everything when it is stopped", async () => {
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
  });
});
