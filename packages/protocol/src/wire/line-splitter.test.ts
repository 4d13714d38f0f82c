import { describe, expect, it } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

function split(chunks: Iterable<Uint8Array | string>, maxBytes = 1000): string[] {
  const found: string[] = [];
  const splitter = new LineSplitter(
    {
      line: (bytes) => found.push(Buffer.from(bytes).toString("utf8")),
      oversize: () => found.push("<oversize>"),
    },
    maxBytes,
  );
  for (const chunk of chunks) splitter.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  splitter.end();
  return found;
}

/** How many bytes are copied from array to array while `work` runs. */
function bytesCopied(work: () => void): number {
  let copied = 0;
  const set = Uint8Array.prototype.set;
  Uint8Array.prototype.set = function (source, at) {
    copied += source.length;
    set.call(this, source, at);
  };
  try {
    work();
  } finally {
    Uint8Array.prototype.set = set;
  }
  return copied;
}

const text = "grüße\r\n日本語 😀\n\u2028in a\u2029line\n";
const lines = ["grüße", "日本語 😀", "\u2028in a\u2029line", ""];

describe("LineSplitter", () => {
  it("splits at LF only, and takes one CR off", () => {
    expect(split([text])).toEqual(lines);
    expect(split(["a\rb\n", "c\r\r\n"])).toEqual(["a\rb", "c\r", ""]);
  });

  it("finds the same lines wherever the chunks are cut", () => {
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at++) {
      expect(split([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(lines);
    }
    expect(split(Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)))).toEqual(lines);
  });

  it("passes on bytes after the last LF when the stream ends", () => {
    expect(split(["a\nhalf"])).toEqual(["a", "half"]);
  });

  it("skips a line over the limit, reports it once and continues with the next", () => {
    expect(split(["12345\n123456\nok\n"], 5)).toEqual(["12345", "<oversize>", "ok", ""]);
    expect(split(["123", "456", "789", "\nok\n"], 5)).toEqual(["<oversize>", "ok", ""]);
    expect(split(["123", "456\nok\n"], 5)).toEqual(["<oversize>", "ok", ""]);
    expect(split(["123", "4567"], 5)).toEqual(["<oversize>"]);
  });

  it("does not buffer skipped bytes", () => {
    const kept = bytesCopied(() => {
      const found = split([...Array.from({ length: 1000 }, () => "x".repeat(1024)), "\nok"], 4096);
      expect(found).toEqual(["<oversize>", "ok"]);
    });
    expect(kept).toBeLessThan(3 * 4096);
  });

  it("reads a long line in single bytes without copying it again and again", () => {
    const length = 300_000;
    const byte = new Uint8Array([0x61]);
    const copied = bytesCopied(() => {
      const found = split(
        Array.from({ length }, () => byte),
        length,
      );
      expect(found[0]).toHaveLength(length);
    });
    expect(copied).toBeLessThan(3 * length);
  });
});
