import { describe, expect, it } from "vitest";
import { EMPTY_ROW, type Row, row, span, style, textOfRow } from "../text/style.ts";
import { Canvas, type Painting, type Placement } from "./canvas.ts";
import { insertRow } from "./insert-row.ts";

const plain = (text: string): Row => row(span(text));
const texts = ({ rows }: Painting): string[] => rows.map(textOfRow);

function leaf(at: Placement | undefined, painting: Painting, name?: string) {
  return { name, measure: () => at, paint: () => painting };
}

describe("a canvas", () => {
  it("paints its leaves into the holes that Ink left", () => {
    const canvas = new Canvas();
    const rows = [plain("first"), plain("second")];
    canvas.add(leaf({ x: 0, y: 1, columns: 10, rows: 2 }, { rows }));
    canvas.laidOut({ rows: [plain("title"), EMPTY_ROW, EMPTY_ROW, plain("end")] });
    const painted = canvas.paint({ columns: 10, rows: 5 });
    expect(texts(painted)).toEqual(["title", "first", "second", "end", ""]);
    // The painter compares rows by identity.
    expect(painted.rows[1]).toBe(rows[0]);
  });

  it("shows the end of what is higher than the screen, and no row outside of a leaf's place", () => {
    const canvas = new Canvas();
    canvas.add(leaf({ x: 0, y: -1, columns: 10, rows: 2 }, { rows: [plain("above"), plain("in view"), plain("cut")] }));
    canvas.add(leaf({ x: 0, y: 1, columns: 10, rows: 3 }, { rows: [plain("last"), plain("below")] }));
    expect(texts(canvas.paint({ columns: 10, rows: 2 }))).toEqual(["in view", "last"]);
  });

  it("shows the uppermost cursor that is in view, wherever its leaf was mounted", () => {
    const canvas = new Canvas();
    const cursor = { x: 1, y: 0 };
    const input = canvas.add(leaf({ x: 2, y: 3, columns: 5, rows: 1 }, { rows: [], cursor }));
    canvas.add(leaf({ x: 0, y: -1, columns: 10, rows: 1 }, { rows: [], cursor }));
    expect(canvas.paint({ columns: 10, rows: 4 }).cursor).toEqual({ x: 3, y: 3 });
    const field = canvas.add(leaf({ x: 0, y: 1, columns: 10, rows: 1 }, { rows: [], cursor }));
    expect(canvas.paint({ columns: 10, rows: 4 }).cursor).toEqual({ x: 1, y: 1 });
    field();
    input();
    expect(canvas.paint({ columns: 10, rows: 4 }).cursor).toBeUndefined();
  });

  it("measures after each layout, and knows where a leaf is by its name", () => {
    const canvas = new Canvas();
    let y = 1;
    canvas.add({ name: "input", measure: () => ({ x: 0, y, columns: 9, rows: 1 }), paint: () => ({ rows: [] }) });
    canvas.add(leaf(undefined, { rows: [] }, "dialog"));
    canvas.add(leaf({ x: 0, y: 0, columns: 9, rows: 0 }, { rows: [] }, "transcript"));
    expect(["input", "dialog", "transcript"].map((name) => canvas.placeOf(name)?.y)).toEqual([1, undefined, undefined]);
    y = 2;
    expect(canvas.placeOf("input")?.y).toBe(1);
    canvas.laidOut({ rows: [] });
    expect(canvas.placeOf("input")?.y).toBe(2);
  });
});

describe("a row in the cells of another", () => {
  it.each([
    ["", "new", { x: 2, columns: 5 }, "  new"],
    ["a list", "new", { x: 3, columns: 5 }, "a lnew"],
    ["left right", "x", { x: 2, columns: 3 }, "lex  right"],
    ["left right", "much too long", { x: 2, columns: 4 }, "lemuc…ight"],
    // Half of a wide character is a blank.
    ["日本語日", "x", { x: 3, columns: 2 }, "日 x  日"],
    ["abc", "", { x: 0, columns: 2 }, "  c"],
  ])("%j with %j at %o is %j", (base, own, at, expected) => {
    expect(textOfRow(insertRow(plain(base), plain(own), at))).toBe(expected);
  });

  it("keeps the looks of both", () => {
    const bold = style({ bold: true });
    const muted = style({ fg: "muted" });
    const { spans } = insertRow(row(span("abcd", bold)), row(span("x", muted)), { x: 1, columns: 1 });
    expect(spans).toEqual([span("a", bold), span("x", muted), span("cd", bold)]);
  });
});
