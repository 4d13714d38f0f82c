import { describe, expect, it } from "vitest";
import { seededRandom } from "../../test/seeded-random.ts";
import { darkTheme } from "../theme/theme.ts";
import { colourCodes, colourLevel } from "./colour-level.ts";
import { padRow, truncateText } from "./fit.ts";
import { PLAIN, type Span, style, textOfRow } from "./style.ts";
import { graphemes, stringWidth } from "./width.ts";
import { spansWidth, type WrapMode, wrapColumns, wrapSpans } from "./wrap.ts";

const plain = (text: string): Span[] => [{ text, style: PLAIN }];
const wrapped = (text: string, width: number, mode?: WrapMode): string[] =>
  wrapSpans(plain(text), width, mode).map(textOfRow);

describe("stringWidth", () => {
  it.each([
    ["abc", 3],
    ["日本", 4],
    ["e\u0301", 1],
    ["👍🏽", 2],
    ["👨‍👩‍👧", 2],
    ["❤️", 2],
    ["✔", 1],
    ["→…─│", 4],
    ["한국", 4],
    ["ｱ", 1],
  ])("%s takes %i", (text, width) => {
    expect(stringWidth(text)).toBe(width);
  });

  it("splits a text into graphemes", () => {
    expect(graphemes("e\u0301👨‍👩‍👧日").map(({ text }) => text)).toEqual(["e\u0301", "👨‍👩‍👧", "日"]);
  });
});

describe("wrapSpans", () => {
  it.each<[string, string, number, WrapMode, string[]]>([
    ["fits", "hello", 5, "word", ["hello"]],
    ["empty", "", 5, "word", [""]],
    ["after a blank that stays", "hello big world", 11, "exact", ["hello big ", "world"]],
    ["in a word where no blank is near", "a bcdefghijklmnop", 8, "exact", ["a bcdefg", "hijklmno", "p"]],
    ["not beside another blank", "hello  x  world again", 9, "exact", ["hello  x ", " world ", "again"]],
    ["a blank in the last column", "hello bi world", 9, "exact", ["hello bi ", "world"]],
    ["at blanks", "hello big world", 9, "word", ["hello big", "world"]],
    ["blank at the border", "hello world", 5, "word", ["hello", "world"]],
    ["long words are cut", "abcdefghij", 4, "word", ["abcd", "efgh", "ij"]],
    ["word then long word", "ab abcdefgh", 6, "word", ["ab", "abcdef", "gh"]],
    ["an indent stays", "  ab cd", 5, "word", ["  ab", "cd"]],
    ["hard keeps blanks", "ab  cd ef", 4, "hard", ["ab  ", "cd e", "f"]],
    ["wide characters are not split", "日本語", 5, "hard", ["日本", "語"]],
    ["between wide characters", "日本語テキスト", 6, "word", ["日本語", "テキス", "ト"]],
    ["wider than the width", "日", 1, "word", ["日"]],
    ["clusters stay whole", "👨‍👩‍👧👨‍👩‍👧", 3, "hard", ["👨‍👩‍👧", "👨‍👩‍👧"]],
  ])("%s", (_, text, width, mode, rows) => {
    expect(wrapped(text, width, mode)).toEqual(rows);
  });

  it("keeps styles across rows", () => {
    const bold = style({ bold: true });
    const rows = wrapSpans(
      [
        { text: "ab ", style: PLAIN },
        { text: "cd ef", style: bold },
      ],
      5,
    );
    expect(rows).toEqual([
      {
        spans: [
          { text: "ab ", style: PLAIN },
          { text: "cd", style: bold },
        ],
      },
      { spans: [{ text: "ef", style: bold }], copy: { margin: 0, joined: " " } },
    ]);
  });

  it("loses nothing but blanks at borders and never exceeds the width", () => {
    const random = seededRandom(5);
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: random.below(60) }, () => random.pick(["a", "bc", " ", "日", "é", "👍"])).join(
        "",
      );
      const width = 2 + random.below(12);
      for (const mode of ["word", "hard"] as const) {
        const rows = wrapSpans(plain(text), width, mode);
        for (const row of rows) expect(spansWidth(row.spans)).toBeLessThanOrEqual(width);
        const joined = rows.map(textOfRow).join("");
        if (mode === "hard") expect(joined).toBe(text);
        else expect(joined.replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }
    }
  });
});

describe("wrapColumns", () => {
  it.each<[string, string, number, string[]]>([
    ["what fits stays", "Model  llama", 20, ["Model  llama"]],
    [
      "words go on below the first of them",
      "Model  the one of the project",
      21,
      ["Model  the one of the", "       project"],
    ],
    ["a name of two words", "Two names   a b c d e f g h i j k l", 36, ["Two names   a b c d e f g h i j k l"]],
    ["in front of the name", "  it  a b c d e f g h i j k", 19, ["  it  a b c d e f g", "      h i j k"]],
    ["wide characters", "模型  a b c d e f g h", 18, ["模型  a b c d e f", "      g h"]],
    ["no columns", "one two three", 7, ["one two", "three"]],
    ["a long name", "a name that is long  words", 20, ["a name that is long", "words"]],
  ])("%s", (_what, text, width, rows) => {
    expect(wrapColumns({ text, style: PLAIN }, width).map(textOfRow)).toEqual(rows);
  });
});

describe("fitting", () => {
  it.each([
    ["hello", 5, "hello"],
    ["hello", 4, "hel…"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["hello", 0, ""],
  ])("truncates %s to %i", (text, width, expected) => {
    expect(truncateText(text, width)).toBe(expected);
  });

  it("pads with blanks", () => {
    expect(textOfRow(padRow({ spans: plain("日") }, 4))).toBe("日  ");
  });
});

describe("colours", () => {
  it.each([
    [{ COLORTERM: "truecolor", TERM: "xterm-256color" }, "truecolor"],
    [{ TERM: "xterm-256color" }, "256"],
    [{ TERM: "xterm" }, "16"],
    [{ TERM: "xterm-256color", NO_COLOR: "1" }, "none"],
    [{ TERM: "xterm-256color", NO_COLOR: "" }, "256"],
    [{ TERM: "dumb" }, "none"],
    [{ NO_COLOR: "1", FORCE_COLOR: "3" }, "truecolor"],
    [{ TERM: "xterm-256color", FORCE_COLOR: "0" }, "none"],
  ] as const)("%j: %s", (env, level) => {
    expect(colourLevel(env)).toBe(level);
  });

  it("reduces colours to those of the terminal", () => {
    const codes = (colour: Parameters<typeof colourCodes>[0], level: Parameters<typeof colourCodes>[2]): string =>
      colourCodes(colour, darkTheme, level, "fg");
    expect(codes("#ff0000", "truecolor")).toBe("38;2;255;0;0");
    expect(codes("#ff0000", "256")).toBe("38;5;196");
    expect(codes("#808080", "256")).toBe("38;5;244");
    expect(codes("#ff0000", "16")).toBe("91");
    expect(codes("error", "16")).toBe("91");
    expect(codes(3, "truecolor")).toBe("33");
    expect(codes(200, "16")).toBe("95");
    expect(codes("error", "none")).toBe("");
    expect(codes(darkTheme.paints.muted.rgb, "16")).toBe("90");
  });
});
