import { describe, expect, it } from "vitest";
import { VirtualScreen } from "../../../testkit/src/terminal/index.ts";
import type { Frame } from "../render/frame.ts";
import { type Row, row, span, style } from "../text/index.ts";
import { darkTheme } from "../theme/theme.ts";
import { InlinePainter, InlineRegion, reflowOf } from "./inline-painter.ts";

const rowsOf = (...texts: string[]): Row[] => texts.map((text) => row(span(text, style({ fg: "accent" }))));
const rule = "─".repeat(20);
const own = (text: string): Row[] => rowsOf(rule, `> ${text}`, rule, "hud");

/** A terminal of 20×8 that a shell has written into, with an inline window. */
class Terminal {
  readonly screen = new VirtualScreen({ columns: 20, rows: 8, scrollback: 100 });
  readonly region = new InlineRegion({ reflow: "shifting" });
  #painter = this.#newPainter();
  bytes = 0;

  #newPainter(): InlinePainter {
    const { columns, rows } = this.screen;
    return new InlinePainter({ columns, rows, theme: darkTheme, colours: "truecolor" }, this.region);
  }

  async paint(frame: Frame): Promise<void> {
    const bytes = this.#painter.paint(frame);
    this.bytes = bytes.length;
    await this.screen.write(bytes);
  }

  resize(columns: number, rows: number): void {
    this.screen.resize(columns, rows);
    this.#painter = this.#newPainter();
  }

  get history(): string[] {
    const lines = this.screen.history();
    return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  }

  static async open(): Promise<Terminal> {
    const terminal = new Terminal();
    await terminal.screen.write("$ ls\r\na.txt\r\n$ harness --inline\r\n");
    return terminal;
  }
}

const shell = ["$ ls", "a.txt", "$ harness --inline"];

describe("an inline window", () => {
  it("stands below what the terminal shows, changes in place, and puts the cursor where it belongs", async () => {
    const terminal = await Terminal.open();
    await terminal.paint({ rows: own(""), cursor: { x: 2, y: 1 } });
    expect(terminal.history).toEqual([...shell, rule, ">", rule, "hud"]);
    await terminal.paint({ rows: own("a"), cursor: { x: 3, y: 1 } });
    expect(terminal.bytes).toBeLessThan(80);
    expect(terminal.history).toEqual([...shell, rule, "> a", rule, "hud"]);
    expect(terminal.screen.cursor).toEqual({ x: 3, y: 4, shown: true });
    await terminal.paint({ rows: own("a"), cursor: { x: 3, y: 1 } });
    expect(terminal.bytes).toBe(0);
    await terminal.paint({ rows: own("a") });
    expect(terminal.screen.cursor.shown).toBe(false);
  });

  it("hands finished rows over once, and scrolls the terminal where it has to", async () => {
    const terminal = await Terminal.open();
    await terminal.paint({ rows: own(""), cursor: { x: 2, y: 1 } });
    for (const text of ["one", "two", "three", "four"]) {
      await terminal.paint({ rows: [...rowsOf(`… ${text}`), ...own("")], cursor: { x: 2, y: 2 } });
      await terminal.paint({ above: rowsOf(text, "fine"), rows: own(""), cursor: { x: 2, y: 1 } });
    }
    const said = ["one", "two", "three", "four"].flatMap((text) => [text, "fine"]);
    expect(terminal.history).toEqual([...shell, ...said, rule, ">", rule, "hud"]);
    expect(terminal.screen.lines().at(-1)).toBe("hud");
  });

  it("grows and shrinks without leaving anything behind, and never grows out of the screen", async () => {
    const terminal = await Terminal.open();
    const many = Array.from({ length: 12 }, (_, at) => `row ${at}`);
    await terminal.paint({ rows: rowsOf(...many), cursor: { x: 0, y: 11 } });
    expect(terminal.screen.lines()).toEqual(many.slice(4));
    await terminal.paint({ rows: own("x"), cursor: { x: 3, y: 1 } });
    expect(terminal.history).toEqual([...shell, rule, "> x", rule, "hud"]);
  });

  it.each([
    [12, 8],
    [7, 8],
    [40, 8],
    [20, 5],
    [20, 20],
  ])("is found again in a terminal that is %i×%i now", async (columns, rows) => {
    const terminal = await Terminal.open();
    await terminal.paint({ above: rowsOf("finished"), rows: own("word"), cursor: { x: 6, y: 1 } });
    terminal.resize(columns, rows);
    const ruled = "─".repeat(columns);
    const next = rowsOf(ruled, "> word", ruled, "hud");
    await terminal.paint({ rows: next, cursor: { x: 6, y: 1 } });
    expect(terminal.history.filter((line) => line !== "")).toEqual([
      ...shell,
      "finished",
      ruled,
      "> word",
      ruled,
      "hud",
    ]);
    expect(terminal.screen.cursor.x).toBe(6);
  });

  it("is gone without a trace when it is erased, and drawn anew where the cursor is", async () => {
    const terminal = await Terminal.open();
    await terminal.paint({ above: rowsOf("finished"), rows: own("word"), cursor: { x: 6, y: 1 } });
    await terminal.screen.write(terminal.region.erase(20));
    expect(terminal.history).toEqual([...shell, "finished"]);
    expect(terminal.region.erase(20)).toBe("");
    await terminal.screen.write("$ fg\r\n");
    await terminal.paint({ rows: own("word"), cursor: { x: 6, y: 1 } });
    expect(terminal.history).toEqual([...shell, "finished", "$ fg", rule, "> word", rule, "hud"]);
  });

  it("keeps its columns after characters whose width is disputed", async () => {
    const terminal = await Terminal.open();
    await terminal.paint({ rows: rowsOf("👍🏽 ok", "日本 x") });
    const [emoji, wide] = terminal.screen.cells().slice(3, 5);
    expect([emoji?.[3]?.text, emoji?.[4]?.text, wide?.[5]?.text]).toEqual(["o", "k", "x"]);
  });
});

it.each([
  [{ TERM: "xterm-256color" }, "rows"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, "shifting"],
  [{ TERM: "xterm-256color", XTERM_VERSION: "XTerm(390)" }, "none"],
  [{ TERM: "screen-256color", TMUX: "/tmp/x", TERM_PROGRAM: "tmux" }, "rows"],
  [{ TERM: "screen" }, "none"],
  [{ TERM: "linux" }, "none"],
])("in a terminal of %j rows that no longer fit are: %s", (env, reflow) => {
  expect(reflowOf(env)).toBe(reflow);
});
