import { describe, expect, it } from "vitest";
import { INVERSE, type Row, row, span, textOfRow } from "../text/style.ts";
import { ScreenSelection } from "./screen-selection.ts";

const rowsOf = (...texts: string[]): Row[] => texts.map((text) => row(...(text === "" ? [] : [span(text)])));
const ALL = { top: 0, end: 99 };
const BODY = { top: 0, end: 4 };
const markedText = (rows: readonly Row[]): string[] =>
  rows.map(({ spans }) =>
    spans
      .filter(({ style }) => (style.attributes & INVERSE) !== 0)
      .map(({ text }) => text)
      .join(""),
  );

function open(rows: readonly Row[], area = ALL): ScreenSelection {
  const selection = new ScreenSelection();
  selection.drawn(rows, area);
  return selection;
}

describe("a selection on the screen", () => {
  it("holds the cells from the press to the cell under the mouse, in either direction", () => {
    const rows = rowsOf("first line", "second line  ", "third");
    const selection = open(rows);
    selection.begin({ x: 6, y: 0 });
    expect([selection.isEmpty, selection.text()]).toEqual([true, ""]);
    selection.extend({ x: 6, y: 0 });
    expect(selection.isEmpty).toBe(true);
    selection.extend({ x: 2, y: 2 });
    expect(selection.text()).toBe("line\nsecond line\nthi");
    expect(markedText(selection.drawn(rows, ALL))).toEqual(["line", "second line  ", "thi"]);
    selection.extend({ x: 4, y: 0 });
    expect(selection.text()).toBe("t l");
    expect(selection.drawn(rows, ALL).slice(1)).toEqual(rows.slice(1));
  });

  it("keeps rows without marks as they are, and draws all plain once it is cleared", () => {
    const rows = rowsOf("one", "two", "three");
    const selection = open(rows);
    selection.begin({ x: 0, y: 1 });
    selection.extend({ x: 1, y: 1 });
    const drawn = selection.drawn(rows, ALL);
    expect([drawn[0] === rows[0], drawn[1] === rows[1], drawn[2] === rows[2]]).toEqual([true, false, true]);
    expect(drawn.map(textOfRow)).toEqual(["one", "two", "three"]);
    selection.clear();
    expect(selection.drawn(rows, ALL)).toBe(rows);
    expect(selection.text()).toBe("");
  });

  it("stays on its text while that scrolls, and reaches what has left the screen", () => {
    const all = rowsOf("a1", "b2", "", "c3", "", "d4", "e5", "f6");
    const input = rowsOf("> ");
    const at = (top: number) => [...all.slice(top, top + 4), ...input];
    const selection = open(at(0), BODY);
    selection.begin({ x: 1, y: 0 });
    selection.extend({ x: 1, y: 1 });
    expect(markedText(selection.drawn(at(1), BODY))).toEqual(["b2", "", "", "", ""]);
    selection.drawn(at(3), BODY);
    selection.extend({ x: 0, y: 3 });
    expect(markedText(selection.drawn(at(3), BODY))).toEqual(["c3", "", "d4", "e", ""]);
    expect(selection.text()).toBe("1\nb2\n\nc3\n\nd4\ne");
    expect(markedText(selection.drawn(at(0), BODY))).toEqual(["1", "b2", "", "c3", ""]);
  });

  it("is dropped where nothing of its text is left in view, and stays where only other rows have changed", () => {
    const selection = open(rowsOf("one", "two", "input"), { top: 0, end: 2 });
    selection.begin({ x: 0, y: 0 });
    selection.extend({ x: 2, y: 0 });
    selection.drawn(rowsOf("other", "text", "input"), { top: 0, end: 2 });
    expect(selection.isEmpty).toBe(true);
    const rows = rowsOf("a screen", "without a transcript");
    selection.drawn(rows, { top: 0, end: 0 });
    selection.markRow(0);
    selection.drawn([...rows.slice(0, 1), ...rowsOf("changed")], { top: 0, end: 0 });
    expect(selection.text()).toBe("a screen");
  });

  it.each([
    ["see packages/tui/src/theme.ts:12, please", 8, "packages/tui/src/theme.ts:12"],
    ["run npm test now", 5, "npm"],
    ["a  b", 1, ""],
    ["日本語 text", 2, "日本語"],
    ["(word)", 0, "("],
  ])("a double click on %j at %d marks %j", (text, x, word) => {
    const selection = open(rowsOf(text));
    selection.markWord({ x, y: 0 });
    expect(selection.text().trim()).toBe(word);
  });

  it("a third click marks the row, and a wide character is marked whole from either half", () => {
    const selection = open(rowsOf("  日本 x  "));
    selection.markRow(0);
    expect(selection.text()).toBe("  日本 x");
    selection.begin({ x: 3, y: 0 });
    selection.extend({ x: 4, y: 0 });
    expect(selection.text()).toBe("日本");
  });

  it("nothing is there to be marked below the last row", () => {
    const selection = open(rowsOf("one"));
    selection.markWord({ x: 5, y: 9 });
    expect(selection.text()).toBe("");
  });
});
