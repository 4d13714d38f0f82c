import { describe, expect, it } from "vitest";
import { terminalText } from "./terminal-text.ts";

describe("terminalText", () => {
  it.each([
    ["plain text with\ttabs\nand lines", "plain text with\ttabs\nand lines"],
    ["Größe 日本語 👩‍💻", "Größe 日本語 👩‍💻"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b[2J\u001b[Hgone", "gone"],
    ["\u001b]0;owned\u0007title", "title"],
    ["\u001b]52;c;cm0gLXJm\u001b\\clip", "clip"],
    ["\u001bPq#0\u001b\\sixel", "sixel"],
    ["\u009b31mC1", "C1"],
    ["\u009d0;owned\u009ctitle", "title"],
    ["a\rb\u0008c\u0000", "abc"],
    ["gpj.\u202eexe", "gpj.exe"],
    ["unfinished \u001b]0;title", "unfinished "],
    ["unfinished \u001b[12", "unfinished 12"],
    ["half \ud800 pair", "half \ufffd pair"],
  ])("escapes %j", (text, shown) => {
    expect(terminalText(text)).toBe(shown);
  });

  it("never lets an escape character through, whatever surrounds it", () => {
    const pieces = ["\u001b", "[", "]", "P", "0", ";", "\u0007", "\\", "m", "x", "\u009d", "\n"];
    let seed = 7;
    for (let round = 0; round < 3000; round += 1) {
      let text = "";
      for (let n = 0; n < 9; n += 1) {
        seed = (seed * 1103515245 + 12345) % 2 ** 31;
        text += pieces[seed % pieces.length];
      }
      expect(terminalText(text)).not.toMatch(/\p{Cc}(?<![\n\t])/u);
    }
  });
});
