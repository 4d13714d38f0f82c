import { beforeAll, describe, expect, it } from "vitest";
import { textOfRow } from "../style.ts";
import { markdownRows } from "./document.ts";
import { DrawingCode } from "./drawing-code.ts";

const code = new DrawingCode();
beforeAll(async () => {
  void code.lexer;
  await code.ready();
});
const rowsOf = (text: string, width = 60) => markdownRows(text, width, code);
const drawn = (text: string, width = 60): string[] => rowsOf(text, width).map((row) => textOfRow(row).trimEnd());

describe("Markdown beyond CommonMark", () => {
  it.each<[string, string, string[]]>([
    ["a formula in a line", "so $a*b*c_1$ and \\(x*y*z\\) hold", ["so $a*b*c_1$ and \\(x*y*z\\) hold"]],
    ["a formula of its own", "$$\n\\sum_i a*b*c\n$$", ["$$", "\\sum_i a*b*c", "$$"]],
    ["a formula in brackets", "\\[ x*y*z \\]", ["\\[ x*y*z \\]"]],
    ["prices", "from $5 to $10 *each*", ["from $5 to $10 each"]],
    ["variables of a shell", "`$HOME` and $PATH or *$x*", ["$HOME and $PATH or $x"]],
    ["a footnote", "It is so[^1].\n\n[^1]: Says who.", ["It is so¹.", "", "¹ Says who."]],
    ["a footnote with a name", "So[^why]\n\n[^why]: *Because*.", ["So[why]", "", "[why] Because."]],
    ["a footnote that is not there", "a[^2]", ["a²"]],
    ["tasks within tasks", "- [x] a\n  - [ ] b\n- [ ] c", ["☑ a", "  ☐ b", "☐ c"]],
    ["lists in numbers", "1. a\n   - b\n     1. c\n2. d", ["1. a", "   ◦ b", "     1. c", "2. d"]],
  ])("%s", (_, text, rows) => {
    expect(drawn(text)).toEqual(rows);
  });

  it("wraps a footnote under itself", () => {
    expect(drawn("[^12]: one two three four", 14)).toEqual(["¹² one two", "   three four"]);
  });

  it("takes little time for a text of opening signs", () => {
    const start = process.cpuUsage();
    for (const sign of ["$a ", "\\[", "\\(", "[^a]: ", "$$\n\n", "[^"]) drawn(sign.repeat(4000));
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });
});

describe("a link", () => {
  const targets = (text: string) => rowsOf(text).flatMap(({ spans }) => spans.flatMap(({ style }) => style.link ?? []));

  it("is opened by the terminal, as well as by its address beside it", () => {
    expect(targets("[text](https://x.y/z) <me@x.y>")).toEqual(["https://x.y/z", "https://x.y/z", "mailto:me@x.y"]);
    expect(drawn("[text](https://x.y/z)")).toEqual(["text (https://x.y/z)"]);
  });

  it.each([
    "[x](javascript:alert)",
    "[x](file:///etc/passwd)",
    "[x](/a)",
    "[x](http://)",
    `[x](https://x.y/${"a".repeat(600)})`,
  ])("%s is only shown", (text) => {
    expect(targets(text)).toEqual([]);
  });

  it("has no character that ends the escape sequence", () => {
    for (const target of targets("[x](<https://x.y/a\u001b\\b ä>)")) expect(target).toMatch(/^[\x21-\x7e]+$/);
  });
});
