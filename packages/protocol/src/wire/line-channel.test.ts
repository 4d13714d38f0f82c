import { describe, expect, it } from "vitest";
import { MemoryStream } from "../../test/memory-stream.ts";
import type { ChannelEvents } from "./channel.ts";
import { lineChannel } from "./line-channel.ts";

function listen(maxMessageBytes = 1000) {
  const stream = new MemoryStream();
  const channel = lineChannel(stream, { maxMessageBytes });
  const heard: unknown[] = [];
  const events: ChannelEvents = {
    message: (value) => heard.push(value),
    unreadable: (error) => heard.push(error.toWire()),
    ended: () => heard.push("ended"),
    failed: (error) => heard.push(`failed: ${error.message}`),
    lagged: (dropped) => heard.push(`lagged: ${dropped}`),
  };
  channel.start(events);
  return { stream, channel, heard };
}

const parseError = { code: -32700, data: { kind: "parse", retryable: false } };

describe("lineChannel", () => {
  it("reads a message a line, with CRLF, empty lines and U+2028", () => {
    const { stream, heard } = listen();
    stream.receive('{"a":1}\r\n\n \t\n{"b":"\u2028"}\n');
    expect(heard).toEqual([{ a: 1 }, { b: "\u2028" }]);
  });

  it("reads the same messages wherever the bytes are cut", () => {
    const bytes = new TextEncoder().encode('{"a":"grüße 😀"}\r\n{"b":"日本"}\n');
    for (let at = 0; at <= bytes.length; at++) {
      const { stream, heard } = listen();
      stream.receive(bytes.subarray(0, at));
      stream.receive(bytes.subarray(at));
      expect(heard).toEqual([{ a: "grüße 😀" }, { b: "日本" }]);
    }
  });

  it("stays in sync after a line that is not JSON", () => {
    const { stream, heard } = listen();
    stream.receive('{"a":\n{"b":2}\n');
    expect(heard).toEqual([expect.objectContaining(parseError), { b: 2 }]);
  });

  it("stays in sync after a line that is not UTF-8", () => {
    const { stream, heard } = listen();
    stream.receive(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n{"b":2}\n')]));
    expect(heard).toEqual([expect.objectContaining(parseError), { b: 2 }]);
  });

  it("refuses a line over the limit and stays in sync", () => {
    const { stream, heard } = listen(20);
    for (let sent = 0; sent < 100; sent++) stream.receive("x".repeat(1000));
    stream.receive('\n{"b":2}\n');
    const data = { kind: "invalid_request", retryable: false, reason: "too_large", maxBytes: 20 };
    expect(heard).toEqual([expect.objectContaining({ code: -32600, data }), { b: 2 }]);
  });

  it("reads an unfinished last line when the stream ends: whole or not", () => {
    const whole = listen();
    whole.stream.receive('{"a":1}');
    whole.stream.receiveEnd();
    expect(whole.heard).toEqual([{ a: 1 }, "ended"]);
    const half = listen();
    half.stream.receive('{"a":');
    half.stream.receiveEnd();
    expect(half.heard).toEqual([expect.objectContaining(parseError), "ended"]);
  });

  it("writes the messages of one tick in one write", async () => {
    const { stream, channel } = listen();
    for (let i = 0; i < 100; i++) channel.send({ i });
    await stream.written(100);
    expect(stream.writes).toHaveLength(1);
    expect(stream.messages).toHaveLength(100);
  });

  it("sends queued messages before it ends, and nothing after it", async () => {
    const { stream, channel } = listen();
    stream.stall();
    channel.send({ a: 1 });
    await stream.written(1);
    channel.send({ b: 2 });
    const ended = channel.end();
    channel.send({ late: true });
    expect(stream.isEnded).toBe(false);
    stream.resume();
    await ended;
    expect(stream.messages).toEqual([{ a: 1 }, { b: 2 }]);
    expect(stream.isEnded).toBe(true);
  });

  it("reports a failure once, drops queued messages, and writes no more", async () => {
    const { stream, channel, heard } = listen();
    stream.stall();
    channel.send({ a: 1 });
    await stream.written(1);
    channel.send({ b: 2 });
    stream.fail(new Error("write EPIPE"));
    await channel.end();
    channel.send({ c: 3 });
    await Promise.resolve();
    expect(heard).toEqual(["failed: write EPIPE"]);
    expect(stream.messages).toEqual([{ a: 1 }]);
  });
});
