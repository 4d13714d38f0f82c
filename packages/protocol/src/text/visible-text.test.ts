import { describe, expect, it } from "vitest";
import { visiblePieces, visibleText } from "./visible-text.ts";

describe("visibleText", () => {
  it.each([
    ["rm -rf ./x", "rm -rf ./x"],
    ["größe 日本 👍 → ok", "größe 日本 👍 → ok"],
    ["a\u001b[2Jb", "a␛[2Jb"],
    ["a\rb\tc\nd\u007f", "a\\rb⟶c\\nd␡"],
    ["admin\u202egpj.exe", "admin⟨U+202E⟩gpj.exe"],
    ["pay\u200bpal a\u00a0b c\u3164d", "pay⟨U+200B⟩pal a⟨U+00A0⟩b c⟨U+3164⟩d"],
    [`true${" ".repeat(2000)}; rm x`, "true⟨2000 spaces⟩; rm x"],
    ["    indented", "    indented"],
    ["\ue000 \u{e0041}", "⟨U+E000⟩ ⟨U+E0041⟩"],
    ["x\u202ey\u2066 z\u009b", "x⟨U+202E⟩y⟨U+2066⟩ z⟨U+009B⟩"],
    ["👨‍👩‍👧 ❤️", "👨‍👩‍👧 ❤️"],
    ["x\ufe0f", "x⟨U+FE0F⟩"],
    ["\u2764\ufe0e", "\u2764⟨U+FE0E⟩"],
    ["rm 1\ufe0f 1\ufe0f\u20e3", "rm 1⟨U+FE0F⟩ 1\ufe0f\u20e3"],
    ["a\ud800b\udc00", "a⟨U+D800⟩b⟨U+DC00⟩"],
    ["نمی\u200cخواهم", "نمی⟨U+200C⟩خواهم"],
    ["\u0301x \u0301y e\u0301", "⟨U+0301⟩x ⟨U+0301⟩y e\u0301"],
    [`z${"\u0301".repeat(30)}`, "z⟨30 marks⟩"],
  ])("%j", (from, to) => {
    expect(visibleText(from)).toBe(to);
  });
});

it("says which pieces are codes", () => {
  expect(visiblePieces("a\tb")).toEqual([
    { text: "a", isCode: false },
    { text: "⟶", isCode: true },
    { text: "b", isCode: false },
  ]);
});
