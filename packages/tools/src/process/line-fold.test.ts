import { describe, expect, it } from "vitest";
import { plainText } from "../text/plain-text.ts";
import { createLineFold } from "./line-fold.ts";

function folded(text: string, pieceBytes: number): string {
  const passed: Buffer[] = [];
  const fold = createLineFold((bytes) => passed.push(Buffer.from(bytes)));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) fold.push(bytes.subarray(at, at + pieceBytes));
  fold.end();
  return Buffer.concat(passed).toString();
}

describe("output that overwrites itself", () => {
  it.each<[string, string]>([
    ["\r10 %\r20 %\r100 %\nend", "100 %\nend"],
    ["10 %\r20 %\r", "20 %"],
    ["a\r\nb\r\r\nc\n", "a\nb\nc\n"],
    ["\r\r\n\r", "\n"],
    ["first\nsecond\rthird", "first\nthird"],
    ["löng\rkürzer €\n", "kürzer €\n"],
    ["12%\b\b\b34%\b\b\b100%\n", "100%\n"],
    ["ä€\b\bok", "ok"],
    ["\u001b[32m10%\u001b[0m\b\b\b20%", "20%"],
    ["10%\u001b[1G20%\u001b[G30%\n", "30%\n"],
    ["10%\u001b[2K\u001b[1Gdone", "done"],
    ["10%\r\u001b[K20%\r\u001b[K", ""],
    ["no return at all", "no return at all"],
    ["", ""],
  ])("is the last of it, in whatever pieces it comes: %j", (text, expected) => {
    for (const pieceBytes of [1, 2, 3, 1000]) expect(folded(text, pieceBytes).replace("\u001b[K", "")).toBe(expected);
    expect(plainText(folded(text, 5))).toBe(plainText(text));
  });

  it("is little, however many frames there are, and a long line is not held back", () => {
    const frames = Array.from({ length: 20_000 }, (_, n) => `\rpkg: ${n} of 20000 [====>    ]`).join("");
    expect(folded(`${frames}\n`, 4096)).toBe("pkg: 19999 of 20000 [====>    ]\n");
    const steps = Array.from({ length: 20_000 }, (_, n) => `${n} done${"\b".repeat(`${n} done`.length)}`).join("");
    expect(folded(`${steps}all done\n`, 4096)).toBe("all done\n");
    const long = "x".repeat(300_000);
    expect(folded(`${long}\rend`, 4096)).toMatch(/^x{200000,}end$/);
  });
});
