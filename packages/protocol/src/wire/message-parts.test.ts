import { describe, expect, it } from "vitest";
import { MemoryStream } from "../../test/memory-stream.ts";
import { lineChannel } from "./line-channel.ts";
import { JoinedText, partsOf } from "./message-parts.ts";

/** The texts that a peer gets after joining the parts. */
function joined(lines: readonly string[]): (string | undefined)[] {
  const joiner = new JoinedText(100_000_000);
  return lines.map((line) => {
    const whole = joiner.take(JSON.parse(line).params);
    return whole && "text" in whole ? whole.text : undefined;
  });
}

describe("a long message", () => {
  it.each([
    ["letters", "a".repeat(5_000_000)],
    ["what JSON escapes", '"\\\n'.repeat(2_000_000)],
    ["control characters", "\u0001".repeat(2_000_000)],
    ["emoji at the cuts", `x${"😀".repeat(3_000_000)}`],
    ["letters of three bytes", "漢".repeat(5_000_000)],
  ])("comes in lines below the limit that give it back: %s", (_name, text) => {
    const message = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { text } });
    const parts = partsOf(message);
    const lines = Array.from({ length: parts?.count ?? 0 }, (_, index) => parts?.line(index) ?? "");
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThan(8 * 1024 * 1024);
    const whole = joined(lines);
    expect(whole.at(-1) === message).toBe(true);
    expect(whole.slice(0, -1).every((each) => each === undefined)).toBe(true);
  });

  it("is sent by one channel and received whole by another, between the messages around it", async () => {
    const text = "long ".repeat(1_000_000);
    const sent = new MemoryStream();
    const channel = lineChannel(sent);
    for (const id of [1, 2, 3]) channel.send({ id, ...(id === 2 ? { text } : {}) });
    await channel.end();
    const other = new MemoryStream();
    const received: unknown[] = [];
    const nothing = () => undefined;
    lineChannel(other).start({
      message: (value) => received.push(value),
      unreadable: (error) => received.push(error),
      ended: nothing,
      failed: nothing,
      lagged: nothing,
    });
    other.receive(sent.writes.join(""));
    expect(received).toEqual([{ id: 1 }, { id: 2, text }, { id: 3 }]);
  });
});

describe("the parts of a message", () => {
  const take = (joiner: JoinedText, ...all: unknown[]) =>
    all.map((each) => {
      const answer = joiner.take(each);
      return answer && ("error" in answer ? answer.error.toWire().data : answer.text);
    });
  const part = (index: number, count: number, text: string) => ({ index, count, text });

  it("are refused once where one is missing, and the next message is in sync", () => {
    expect(take(new JoinedText(100), part(0, 3, "a"), part(2, 3, "c"), part(0, 1, "whole"))).toEqual([
      undefined,
      expect.objectContaining({ reason: "malformed" }),
      "whole",
    ]);
  });

  it("are refused once where they are too long in all, and what follows of them is skipped", () => {
    const long = "x".repeat(60);
    const all = [part(0, 4, long), part(1, 4, long), part(2, 4, long), part(3, 4, long), part(0, 1, "next")];
    expect(take(new JoinedText(100), ...all)).toEqual([
      undefined,
      expect.objectContaining({ reason: "too_large" }),
      undefined,
      undefined,
      "next",
    ]);
  });

  it.each([null, 7, "text", [], {}, { index: -1 }, part(1, 2, "x"), { ...part(0, 2, "x"), text: 5 }])(
    "are refused and never thrown for, whatever comes: %j",
    (odd) => {
      expect(take(new JoinedText(10), odd)).toEqual([expect.objectContaining({ reason: "malformed" })]);
    },
  );
});
