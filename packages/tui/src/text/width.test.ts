import fastStringWidth from "fast-string-width";
import { describe, expect, it } from "vitest";
import { stringWidth } from "./width.ts";

describe("stringWidth", () => {
  it("is the library's for every character of the basic plane", () => {
    const other: string[] = [];
    for (let code = 0xa0; code < 0xfffe; code++) {
      // A lone surrogate is not a character.
      if (code >= 0xd800 && code < 0xe000) continue;
      const text = String.fromCharCode(code);
      // Terminals give joiners no cell.
      if (text === "\u200c" || text === "\u200d") continue;
      const width = Math.min(2, fastStringWidth(text));
      if (stringWidth(text) !== width) other.push(`U+${code.toString(16)}: ${stringWidth(text)}, not ${width}`);
    }
    expect(other).toEqual([]);
  });

  it("gives joiners no cell of their own", () => {
    expect([stringWidth("می\u200cروم"), stringWidth("\u200c"), stringWidth("क्\u200dष")]).toEqual([5, 0, 2]);
  });
});
