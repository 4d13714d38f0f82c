import { describe, expect, it } from "vitest";
import { withIsolates } from "../../text/isolates.ts";
import { EMPTY_ROW, row, span } from "../../text/style.ts";
import { stringWidth } from "../../text/width.ts";
import { darkTheme } from "../../theme/theme.ts";
import { Painter } from "../painter.ts";
import { frameLook } from "./frame-look.ts";
import { withPlainGlyphs } from "./plain-glyphs.ts";

describe("plain glyphs", () => {
  it.each([
    ["╭──┬─╮", "+--+-+"],
    ["│ ● done ✓ …", "| * done v ~"],
    ["◐◒ ⊘ 3 files, ◌ 1 ▹ dev", "|\\ x 3 files, . 1 > dev"],
    ["⠋⠙ working · ▸ open → x¹", "\\/ working . > open > x1"],
    ["Größe 日本 👍 é", "Größe 日本 👍 é"],
  ])("%s is %s", (text, plain) => {
    expect(withPlainGlyphs(text)).toBe(plain);
    expect(stringWidth(withPlainGlyphs(text))).toBe(stringWidth(text));
  });
});

describe("isolated right-to-left text", () => {
  it("is one part from its first to its last letter", () => {
    expect(withIsolates("a שלום 12 עולם, b")).toBe("a \u2067שלום 12 עולם\u2069, b");
    expect(withIsolates("plain")).toBe("plain");
  });

  it("takes no cells, and reaches the terminal", () => {
    const painter = new Painter({ columns: 20, rows: 1, theme: darkTheme, colours: "none" });
    const rows = [row(span(withIsolates("│ אב │")))];
    const bytes = painter.paint({ rows });
    expect(bytes).toContain("\u2067א");
    expect(bytes).toContain("ב\u2069");
  });
});

describe("the look of frames", () => {
  it("gives the same row for the same row, and leaves rows alone that need no change", () => {
    const look = frameLook(withPlainGlyphs);
    const [changed, plain] = [row(span("──")), row(span("ab"))];
    const first = look({ rows: [changed, plain, EMPTY_ROW], above: [changed] });
    expect(first.rows[0]?.spans[0]?.text).toBe("--");
    expect(first.rows[1]).toBe(plain);
    expect(look({ rows: [changed] }).rows[0]).toBe(first.rows[0]);
    expect(first.above?.[0]).toBe(first.rows[0]);
  });
});
