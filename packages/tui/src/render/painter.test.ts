import { describe, expect, it } from "vitest";
import { type ScreenCell, VirtualScreen } from "../../../testkit/src/terminal/index.ts";
import { seededRandom } from "../../test/seeded-random.ts";
import { EMPTY_ROW, type Row, type Span, style } from "../text/style.ts";
import { eachGrapheme } from "../text/width.ts";
import { darkTheme } from "../theme/theme.ts";
import type { Frame } from "./frame.ts";
import { Painter } from "./painter.ts";

const WRAP_OFF = "\u001b[?7l";
const looks = [
  style({}),
  style({ fg: "accent" }),
  style({ fg: 2, bold: true }),
  style({ bg: "#203040" }),
  style({ inverse: true, dim: true }),
  style({ underline: true, italic: true, strike: true }),
];
/** Characters with the same width in every terminal, including wide ones and marks. */
const sure = ["a", "b", "Z", " ", " ", " ", "─", "é", "e\u0301", "日", "本", "한", "ж", "…"];
/** Characters with widths that differ between terminals. */
const unsure = ["👍", "👨‍👩‍👧", "❤️", "🇩🇪", "1️⃣", "👍🏽"];

function painter(columns: number, rows: number, colours: "truecolor" | "none" = "truecolor"): Painter {
  return new Painter({ columns, rows, theme: darkTheme, colours });
}

/** The expected cells of a row: a text per cell, "" for the right half of a wide character. */
function cellTexts({ spans }: Row, columns: number): string[] {
  const cells: string[] = [];
  for (const span of spans) {
    eachGrapheme(span.text, (grapheme, width) => {
      if (width === 0 || cells.length >= columns) return;
      if (cells.length + width > columns) cells.push(" ");
      else cells.push(grapheme, ...(width === 2 ? [""] : []));
    });
  }
  return [...cells, ...Array.from({ length: columns }, () => " ")].slice(0, columns);
}

function shownTexts(screen: VirtualScreen): string[][] {
  return screen.cells().map((row) => row.map(({ text, width }) => (width === 0 ? "" : text === "" ? " " : text)));
}

/** An erased cell and one with a blank look the same. */
function looked(screen: VirtualScreen): ScreenCell[][] {
  return screen
    .cells()
    .map((row) => row.map((cell) => ({ ...cell, text: cell.width === 1 && cell.text === "" ? " " : cell.text })));
}

type Random = ReturnType<typeof seededRandom>;

function randomRow(random: Random, columns: number, alphabet: readonly string[]): Row {
  if (random.below(6) === 0) return EMPTY_ROW;
  const spans: Span[] = [];
  for (let left = random.below(columns + 8); left > 0; ) {
    const length = Math.min(left, 1 + random.below(12));
    const text = Array.from({ length }, () => random.pick(alphabet)).join("");
    spans.push({ text, style: random.pick(looks) });
    left -= length;
  }
  return { spans };
}

/** Changes as they happen: a row edited, rows scrolled, everything new, nothing. */
function nextRows(random: Random, rows: readonly Row[], columns: number, alphabet: readonly string[]): Row[] {
  const fresh = (): Row => randomRow(random, columns, alphabet);
  const kind = random.below(6);
  if (kind === 0) return rows.map(fresh);
  if (kind === 1) return [...rows];
  if (kind === 2) return rows.map((row) => (random.below(4) === 0 ? fresh() : row));
  const top = random.below(rows.length - 4);
  const bottom = top + 4 + random.below(rows.length - top - 3);
  const by = 1 + random.below(3);
  const block = rows.slice(top, bottom);
  const incoming = Array.from({ length: by }, fresh);
  const moved = kind < 5 ? [...block.slice(by), ...incoming] : [...incoming, ...block.slice(0, -by)];
  return [...rows.slice(0, top), ...moved, ...rows.slice(bottom)];
}

describe("Painter", () => {
  it.each([
    { columns: 20, rows: 8 },
    { columns: 7, rows: 12 },
    { columns: 40, rows: 5 },
  ])("makes the terminal show every frame, $columns×$rows", async ({ columns, rows }) => {
    const random = seededRandom(columns * 1000 + rows);
    const paint = painter(columns, rows);
    const screen = new VirtualScreen({ columns, rows });
    await screen.write(WRAP_OFF);
    let frame: Row[] = Array.from({ length: rows }, () => EMPTY_ROW);
    for (let round = 0; round < 400; round++) {
      frame = nextRows(random, frame, columns, sure);
      const cursor = random.below(3) === 0 ? undefined : { x: random.below(columns), y: random.below(rows) };
      await screen.write(paint.paint({ rows: frame, cursor }));
      expect(shownTexts(screen)).toEqual(frame.map((row) => cellTexts(row, columns)));
      expect(screen.cursor).toEqual(cursor ? { ...cursor, shown: true } : { ...screen.cursor, shown: false });
    }
  });

  it("draws colours and attributes where they belong, also after scrolling", async () => {
    const columns = 16;
    const random = seededRandom(7);
    const paint = painter(columns, 10);
    const screen = new VirtualScreen({ columns, rows: 10 });
    await screen.write(WRAP_OFF);
    let rows: Row[] = Array.from({ length: 10 }, () => EMPTY_ROW);
    for (let round = 0; round < 200; round++) {
      rows = nextRows(random, rows, columns, ["a", "b", "日"]);
      await screen.write(paint.paint({ rows }));
      const fresh = new VirtualScreen({ columns, rows: 10 });
      await fresh.write(WRAP_OFF + painter(columns, 10).paint({ rows }));
      expect(looked(screen)).toEqual(looked(fresh));
    }
  });

  it.each(["today", "old"] as const)(
    "keeps what stands beside characters of disputed width (%s widths)",
    async (widths) => {
      const columns = 24;
      const random = seededRandom(3);
      const paint = painter(columns, 6);
      const screen = new VirtualScreen({ columns, rows: 6, widths });
      await screen.write(WRAP_OFF);
      let rows: Row[] = Array.from({ length: 6 }, () => EMPTY_ROW);
      for (let round = 0; round < 300; round++) {
        rows = nextRows(random, rows, columns, ["a", "b", " ", "c", ...unsure]);
        await screen.write(paint.paint({ rows }));
        const shown = shownTexts(screen);
        for (const [y, row] of rows.entries()) {
          const wanted = cellTexts(row, columns);
          for (const [x, text] of wanted.entries()) {
            if (/^[abc]$/.test(text)) expect(shown[y]?.[x], `${x},${y} in ${JSON.stringify(wanted)}`).toBe(text);
          }
        }
      }
    },
  );

  it("writes nothing for the same frame", () => {
    const paint = painter(30, 4);
    const rows = [{ spans: [{ text: "hello", style: style({ fg: "accent" }) }] }];
    const frame: Frame = { rows, cursor: { x: 2, y: 1 } };
    expect(paint.paint(frame)).not.toBe("");
    expect(paint.paint(frame)).toBe("");
    const equal = { spans: [{ text: "hello", style: style({ fg: "accent" }) }] };
    expect(paint.paint({ rows: [equal], cursor: { x: 2, y: 1 } })).toBe("");
  });

  it("echoes a typed key at 100×32 with at most 64 bytes", () => {
    const paint = painter(100, 32);
    const look = style({ fg: "accent" });
    const typed = (text: string): Frame => {
      const box: Row = {
        spans: [
          { text: "│ > ", style: look },
          { text: text.padEnd(94), style: style({}) },
          { text: " │", style: look },
        ],
      };
      const rows = Array.from({ length: 32 }, (_, y) =>
        y === 29 ? box : { spans: [{ text: `row ${y}`, style: style({}) }] },
      );
      return { rows, cursor: { x: 4 + text.length, y: 29 } };
    };
    paint.paint(typed(""));
    const sizes = "hello, world"
      .split("")
      .map((_, index) => paint.paint(typed("hello, world".slice(0, index + 1))).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
  });

  it("lets the terminal scroll when rows only move", () => {
    const paint = painter(80, 24);
    const line = (n: number): Row => ({ spans: [{ text: `${n} ${"lorem ipsum ".repeat(6)}`, style: style({}) }] });
    const lines = Array.from({ length: 40 }, (_, n) => line(n));
    const footer = { spans: [{ text: "composer", style: style({}) }] };
    paint.paint({ rows: [...lines.slice(0, 23), footer], cursor: { x: 0, y: 23 } });
    const bytes = paint.paint({ rows: [...lines.slice(1, 24), footer], cursor: { x: 0, y: 23 } });
    expect(bytes).toContain("\u001b[1S");
    expect(bytes.length).toBeLessThan(180);
  });

  it("writes everything after invalidate, and one synchronised update a frame", () => {
    const paint = painter(20, 3);
    const frame: Frame = { rows: [{ spans: [{ text: "abc", style: style({}) }] }] };
    paint.paint(frame);
    paint.invalidate();
    const bytes = paint.paint(frame);
    expect(bytes).toContain("abc");
    expect(bytes.startsWith("\u001b[?2026h")).toBe(true);
    expect(bytes.endsWith("\u001b[?2026l")).toBe(true);
  });

  it("lets no control character through, whatever a row holds", () => {
    const paint = painter(60, 2);
    const text = "a\u001b]52;c;aGk=\u0007b\u009b2Jc\u0000d\re\u0301\u0085f\u2028日\u001b[2J";
    const bytes = paint.paint({ rows: [{ spans: [{ text, style: style({}) }] }] });
    const known = /^(?:\[[?0-9;]*[hlHmKCG]|\r\n)*$/;
    const [first = "", ...sequences] = bytes.split("\u001b");
    expect(first).toBe("");
    for (const sequence of sequences) expect(sequence.replace(/^(\[[?0-9;]*[hlHmKCG]).*$/s, "$1")).toMatch(known);
    expect(bytes.replaceAll("\u001b", "").replaceAll("\r\n", "")).not.toMatch(/\p{Cc}/u);
  });

  it("writes no colour under NO_COLOR but keeps bold and inverse", () => {
    const bytes = painter(20, 1, "none").paint({
      rows: [{ spans: [{ text: "x", style: style({ fg: "error", bg: 4, bold: true, inverse: true }) }] }],
    });
    expect(bytes).toContain("\u001b[1;7mx");
  });

  it("opens and closes links, and closes the last one before the frame ends", () => {
    const link = style({ underline: true, link: "https://x.y/" });
    const bytes = painter(20, 2).paint({
      rows: [
        {
          spans: [
            { text: "a", style: link },
            { text: "b", style: style({}) },
          ],
        },
      ],
    });
    expect(bytes).toContain("\u001b]8;;https://x.y/\u001b\\a");
    expect(bytes.indexOf("\u001b]8;;\u001b\\")).toBeGreaterThan(bytes.indexOf("https://x.y/"));
    const last = painter(20, 1).paint({ rows: [{ spans: [{ text: "a", style: link }] }] });
    expect(last.lastIndexOf("]8;;\u001b")).toBeGreaterThan(last.indexOf("https://x.y/"));
    expect(painter(20, 1, "none").paint({ rows: [{ spans: [{ text: "a", style: link }] }] })).not.toContain("]8;");
  });
});
