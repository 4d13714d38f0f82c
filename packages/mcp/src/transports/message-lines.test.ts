import { describe, expect, test } from "vitest";
import { MessageLines, type OversizedLine } from "./message-lines.ts";
import { idAtEdges } from "./too-large.ts";

function read(maxBytes = 1_000) {
  const lines: string[] = [];
  const oversized: OversizedLine[] = [];
  const reader = new MessageLines(maxBytes, {
    onLine: (line) => lines.push(line),
    onOversized: (line) => oversized.push(line),
  });
  return { lines, oversized, push: (text: string) => reader.push(Buffer.from(text)), reader };
}

describe("lines of messages", () => {
  test("come whole, wherever the pieces were cut, also within a character", () => {
    const { lines, reader } = read();
    for (const byte of Buffer.from('{"a":"ü"}\nsecond\n')) reader.push(Buffer.of(byte));
    expect(lines).toEqual(['{"a":"ü"}', "second"]);
  });

  test("that are too long leave their edges, and the next one is read as ever", () => {
    const { lines, oversized, push } = read(2_000);
    push(`first\n{"id":7,"result":"${"x".repeat(1_500)}`);
    push("y".repeat(1_500));
    push(`","jsonrpc":"2.0"}\nnext\n`);
    expect(lines).toEqual(["first", "next"]);
    expect(oversized).toHaveLength(1);
    expect(oversized[0]?.head.startsWith('{"id":7,"result":"xxx')).toBe(true);
    expect(oversized[0]?.tail.endsWith('yyy","jsonrpc":"2.0"}')).toBe(true);
    expect(oversized[0]?.head.length).toBe(512);
  });

  test("without an end take no more memory than the limit", () => {
    const { reader } = read(1024 * 1024);
    const piece = Buffer.alloc(64 * 1024, "x");
    const before = process.memoryUsage().arrayBuffers;
    for (let index = 0; index < 4_096; index += 1) reader.push(piece);
    // 256 MB have passed.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });
});

describe("the id of a message with only its edges known", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":3,"result":{', "", 3],
    ['{"id":"a-1","jsonrpc":"2.0"', "", "a-1"],
    ['{"result":{"id":9,', '"}]},"jsonrpc":"2.0","id":12}', 12],
    ['{"result":{"x":"', '"}],"id":4,"jsonrpc":"2.0"}', 4],
  ])("is found in %s … %s", (head, tail, id) => {
    expect(idAtEdges({ head, tail })).toBe(id);
  });

  test("is not taken from within the message", () => {
    expect(idAtEdges({ head: '{"result":{"id":9,"x":"', tail: 'xx","id":5}}' })).toBeUndefined();
    expect(idAtEdges({ head: '{"method":"x","params":{', tail: "xx]}}" })).toBeUndefined();
  });
});
