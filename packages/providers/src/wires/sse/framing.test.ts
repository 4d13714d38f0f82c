import { describe, expect, it } from "vitest";
import { DocumentFraming, type Framing, SseFraming, type StreamEvent } from "./framing.ts";

function read(framing: Framing, text: string | Buffer, size: number): StreamEvent[] {
  const bytes = Buffer.from(text);
  const events: StreamEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...framing.push(bytes.subarray(at, at + size)));
  return [...events, ...framing.end()];
}

const sizes = [1, 2, 3, 5, 7, 10_000];

describe.each(sizes)("the framing in pieces of %i bytes", (size) => {
  it("reads server-sent events", () => {
    const text =
      '\uFEFF: comment\r\n\r\ndata: {"a":"é🎉"}\r\n\r\ndata:no space\n\nid: 7\nretry: 9\nevent: error\ndata: one\ndata: two\n\n' +
      "data\n\n: ping\n\ndata: left";
    expect(read(new SseFraming(), text, size)).toEqual([
      { lines: ['{"a":"é🎉"}'] },
      { lines: ["no space"] },
      { lines: ["one", "two"], name: "error" },
      { lines: ["left"] },
    ]);
  });

  it("reads a document per line", () => {
    const lines = read(new DocumentFraming(), '{"a":1}\r\n\n  \n{"b":"ü"}\n{"c":3}', size);
    expect(lines.flatMap((event) => event.lines)).toEqual(['{"a":1}', '{"b":"ü"}', '{"c":3}']);
  });

  it("reads a whole document", () => {
    expect(read(new DocumentFraming(), '\n{\r\n "a": 1\n\n}', size)).toEqual([{ lines: ["{", ' "a": 1', "}"] }]);
    for (const text of ['{"a":1}', '{"a":1}\n'])
      expect(read(new DocumentFraming(), text, size)).toEqual([{ lines: ['{"a":1}'] }]);
  });

  it("reads a stream with the content type of a document", () => {
    const records = '{"a":1}\n\n{"b":"ü"}\r\n{"c":3}';
    expect(read(new DocumentFraming(), records, size)).toEqual([
      { lines: ['{"a":1}'] },
      { lines: ['{"b":"ü"}'] },
      { lines: ['{"c":3}'] },
    ]);
    const events = ': ping\n\nevent: error\ndata: {"a":1}\n\ndata: {"b":2}\n\ndata: [DONE]';
    expect(read(new DocumentFraming(), events, size)).toEqual([
      { lines: ['{"a":1}'], name: "error" },
      { lines: ['{"b":2}'] },
      { lines: ["[DONE]"] },
    ]);
  });
});

describe("the framing of odd bytes", () => {
  it("emits each record of a stream as it comes, also when it is called a document", () => {
    const framing = new DocumentFraming();
    expect(framing.push(Buffer.from('{"a":1}\n{"b"'))).toEqual([{ lines: ['{"a":1}'] }]);
    expect(framing.push(Buffer.from(":2}\n"))).toEqual([{ lines: ['{"b":2}'] }]);
    expect(framing.end()).toEqual([]);
  });

  it("replaces invalid UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from("data: a"), Buffer.from([0xff, 0xc3]), Buffer.from("b\n\n")]);
    expect(read(new SseFraming(), bytes, 1)).toEqual([{ lines: ["a\uFFFD\uFFFDb"] }]);
  });

  it("ends at once for an empty body", () => {
    expect(read(new SseFraming(), "", 1)).toEqual([]);
    expect(read(new DocumentFraming(), "", 1)).toEqual([]);
  });

  it("refuses a line without an end", () => {
    const framing = new DocumentFraming();
    const piece = Buffer.alloc(16 * 1024 * 1024, "x");
    expect(() => {
      for (let round = 0; round < 6; round += 1) framing.push(piece);
    }).toThrow("64 MB");
  });
});
