import { describe, expect, it } from "vitest";
import { seededRandom } from "../../test/seeded-random.ts";
import { AnsiText, ansiLines, type StyledLine } from "./ansi-text.ts";
import { dropHidden } from "./hidden-characters.ts";
import { PlainText, sanitise, sanitiseLine } from "./sanitise.ts";
import { PLAIN, style } from "./style.ts";

const text = (lines: readonly StyledLine[]): string[] => lines.map((line) => line.map((span) => span.text).join(""));

/** Sequences that terminals obey, cut anywhere by the fuzzer. */
const pieces = [
  "\u001b[31m",
  "\u001b[0m",
  "\u001b[38;2;1;2;3m",
  "\u001b[48:5:12m",
  "\u001b[2J",
  "\u001b[1;1H",
  "\u001b[?1049h",
  "\u001b]0;title\u0007",
  "\u001b]52;c;aGVsbG8=\u001b\\",
  "\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\",
  "\u001bPq#0\u001b\\",
  "\u001b_Gi=1\u001b\\",
  "\u001b^pm\u001b\\",
  "\u001bXsos\u001b\\",
  "\u009b2J",
  "\u009d0;t\u009c",
  "\u001bc",
  "\u001b(0",
  "\u001b",
  "\u001b[",
  "\u001b]",
  "\u0007",
  "\u0000",
  "\u0008",
  "\u007f",
  "\r",
  "\n",
  "\r\n",
  "\t",
  "\u202e",
  "\u200b",
  "\u{e0041}",
  "\ud83d",
  "\udc4d",
  "👍🏽",
  "👨‍👩‍👧",
  "e\u0301\u0301",
  "日本",
  "plain words",
];

const DANGEROUS = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ud800-\udfff\u{e0000}-\u{e007f}]/u;

describe("sanitise", () => {
  it.each([
    ["colours", "a\u001b[31mred\u001b[0m", "ared"],
    ["cursor moves and erasing", "a\u001b[2J\u001b[1;1Hb", "ab"],
    ["title and clipboard", "a\u001b]0;t\u0007b\u001b]52;c;QQ==\u001b\\c", "abc"],
    ["links keep their text", "\u001b]8;;http://x\u001b\\go\u001b]8;;\u001b\\", "go"],
    ["device strings", "a\u001bPx\u001b\\b\u001b_y\u001b\\c\u001b^z\u001b\\d\u001bXw\u001b\\e", "abcde"],
    ["8-bit forms", "a\u009b31mb\u009d0;t\u009cc", "abc"],
    ["a string that nobody ends stops at the line's end", "a\u001b]0;never\nb", "a\nb"],
    ["a sequence that nobody ends stops at the line's end", "a\u001b[31\nb", "a\nb"],
    ["charset and reset", "a\u001b(0b\u001bcd", "abd"],
    ["controls", "a\u0000\u0007\u0008\u007fb", "ab"],
    ["newlines of any form", "a\r\nb\rc\nd", "a\nb\nc\nd"],
    ["tabs stay", "a\tb", "a\tb"],
    ["bidi and zero-width", "a\u202eb\u200bc\u2066d\ufeffe", "abcde"],
    ["tags", "a\u{e0041}\u{e0042}b", "ab"],
    ["line separators", "a\u2028b\u2029c", "a b c"],
    ["lone surrogates", "a\ud83db\udc4dc", "a\ufffdb\ufffdc"],
    ["emoji stay whole", "👨‍👩‍👧 ❤️ 👍🏽 🇩🇪", "👨‍👩‍👧 ❤️ 👍🏽 🇩🇪"],
    ["a symbol that is to be text stays one", "x\ufe0e 1\ufe0e \u2764\ufe0e", "x 1 \u2764\ufe0e"],
    ["joiners of letters stay", "نمی\u200cخواهم", "نمی\u200cخواهم"],
    ["joiners elsewhere go", "a\u200db\u200cc", "abc"],
    ["piles of marks are cut", `a${"\u0301".repeat(50)}b`, `a${"\u0301".repeat(10)}b`],
  ])("%s", (_, from, to) => {
    expect(sanitise(from)).toBe(to);
  });

  it.each([
    ["string", "\u001b]0;", "x"],
    ["8-bit string", "\u0090", "x"],
    ["sequence of parameters", "\u001b[", "1;"],
    ["run of intermediates", "\u001b", "/"],
  ])("gives an unending %s back after 4 KiB at the latest, and at the line's end", (_, begin, more) => {
    expect(sanitise(`${begin}${more.repeat(5000)}end`).endsWith("end")).toBe(true);
    expect(sanitise(`${begin}${more.repeat(50)}\nend`).endsWith("\nend")).toBe(true);
  });

  it("puts names on one line", () => {
    expect(sanitiseLine("a\nb\tc\u001b[31m")).toBe("a b c");
  });

  it("lets nothing dangerous through, and the same wherever the stream is cut", () => {
    const random = seededRandom(42);
    for (let round = 0; round < 400; round++) {
      const source = Array.from({ length: 1 + random.below(12) }, () => random.pick(pieces)).join("");
      const whole = sanitise(source);
      expect(whole.replaceAll("\t", "")).not.toMatch(DANGEROUS);
      const stream = new PlainText();
      let split = "";
      for (const unit of source.split("")) split += stream.push(unit);
      split += stream.end();
      expect(dropHidden(split)).toBe(whole);
    }
  });
});

describe("AnsiText", () => {
  it("turns colours into styles and closes them", () => {
    expect(ansiLines("\u001b[1;31mred\u001b[22;39mplain\n\u001b[38;5;200mx")).toEqual([
      [
        { text: "red", style: style({ fg: 1, bold: true }) },
        { text: "plain", style: PLAIN },
      ],
      [{ text: "x", style: style({ fg: 200 }) }],
    ]);
  });

  it.each([
    ["progress bars overwrite", "10%\r50%\r100%\ndone", ["100%", "done"]],
    ["a shorter text leaves the rest", "abcdef\rxy", ["xycdef"]],
    ["erasing the line", "abcdef\r\u001b[Kxy", ["xy"]],
    ["erasing before", "abc\u001b[1K|", ["   |"]],
    ["DOS line ends", "a\r\nb\r\n", ["a", "b"]],
    ["overstrike", "bold\b\b\b\bBOLD", ["BOLD"]],
    ["tabs go to stops of 8", "a\tb\n日\tb", ["a       b", "日      b"]],
    ["tabs in overwritten lines", "xx\ra\tb", ["ax      b"]],
    ["wide characters halved by overwriting", "日本\ra", ["a 本"]],
    ["empty lines stay", "a\n\nb", ["a", "", "b"]],
  ])("%s", (_, from, to) => {
    expect(text(ansiLines(from))).toEqual(to);
  });

  it("forgets the history of a line that overwrites itself, not its text", () => {
    const stream = new AnsiText();
    for (let step = 0; step < 10_000; step++) stream.push(`step ${step}\r`);
    expect(text(stream.lines())).toEqual(["step 9999"]);
  });

  it("lets nothing dangerous through, and the same wherever the stream is cut", () => {
    const random = seededRandom(4711);
    for (let round = 0; round < 400; round++) {
      const source = Array.from({ length: 1 + random.below(12) }, () => random.pick(pieces)).join("");
      const whole = ansiLines(source);
      for (const line of text(whole)) expect(line).not.toMatch(DANGEROUS);
      const stream = new AnsiText();
      for (const unit of source.split("")) stream.push(unit);
      stream.end();
      expect(stream.lines()).toEqual(whole);
    }
  });

  it("takes time in proportion to the text", () => {
    const visits = (source: string): number => {
      const stream = new AnsiText();
      stream.push(source);
      return stream.lineCount;
    };
    expect(visits("\u001b[".repeat(200_000))).toBe(0);
    expect(visits("\u001b]".repeat(200_000))).toBe(0);
    expect(visits("\u001b[1;".repeat(100_000))).toBe(0);
    expect(visits("a\u0301".repeat(100_000))).toBe(1);
  });

  it("keeps the last lines only, when asked", () => {
    const stream = new AnsiText();
    stream.push("a\nb\nc\nd");
    expect(text(stream.lines(2))).toEqual(["c", "d"]);
    expect(stream.lineCount).toBe(4);
  });
});
