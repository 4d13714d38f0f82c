import type { ImagePart, TranscriptItem } from "@harness/protocol";

import { describe, expect, it } from "vitest";
import { VirtualScreen } from "../../../../testkit/src/terminal/index.ts";
import { usualKeymap } from "../../keymap/keymap.ts";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { type InlinePicture, type Row, row, span, textOfRow } from "../../text/style.ts";
import { stringWidth } from "../../text/width.ts";
import { darkTheme } from "../../theme/theme.ts";
import { Painter } from "../painter.ts";
import { TerminalReplies } from "../terminal-replies.ts";
import { TranscriptView } from "../transcript/index.ts";
import { DrawnPictures, type PictureBox } from "./drawn-pictures.ts";
import { askGraphics, type Graphics } from "./graphics.ts";
import { placeholderRows, transmitPicture } from "./kitty-picture.ts";
import { sixelPicture } from "./sixel.ts";

const part = (name: string): ImagePart => ({
  type: "image",
  mimeType: "image/png",
  data: "AAAA",
  name,
  widthPx: 80,
  heightPx: 40,
});
const cell = { widthPx: 10, heightPx: 20 };

describe("the pictures of a terminal", () => {
  const answering = (...answers: string[]) => {
    const replies: TerminalReplies = new TerminalReplies(
      () => queueMicrotask(() => answers.forEach((answer) => void replies.take(answer))),
      { take: () => undefined },
    );
    return askGraphics(replies);
  };

  it.each<[string, string[], Graphics | undefined]>([
    [
      "kitty",
      ["\u001bP>|kitty(0.36.4)\u001b\\", "\u001b[6;18;9t", "\u001b[?62;c"],
      { way: "placeholders", cell: { widthPx: 9, heightPx: 18 } },
    ],
    ["Ghostty", ["\u001bP>|ghostty 1.1.0\u001b\\", "\u001b[?62;22c"], { way: "placeholders", cell }],
    ["iTerm2", ["\u001bP>|iTerm2 3.5.10\u001b\\", "\u001b[?64;4c"], { way: "iterm", cell }],
    ["WezTerm", ["\u001bP>|WezTerm 20240203\u001b\\", "\u001b[?65;4;6c"], { way: "iterm", cell }],
    ["foot", ["\u001bP>|foot(1.16.2)\u001b\\", "\u001b[6;0;0t", "\u001b[?62;4;22c"], { way: "sixel", cell }],
    ["tmux with sixels", ["\u001bP>|tmux 3.4\u001b\\", "\u001b[?1;2;4c"], { way: "sixel", cell }],
    ["tmux without", ["\u001bP>|tmux 3.3a\u001b\\", "\u001b[?1;2c"], undefined],
    ["a plain xterm", ["\u001b[?64;1;2;6c"], undefined],
  ])("are those of %s", async (_name, answers, graphics) => {
    expect(await answering(...answers)).toEqual(graphics);
  });
});

describe("a picture of kitty", () => {
  it("is sent in pieces of at most 4,096 characters, to be drawn by its placeholders", () => {
    const pieces = transmitPicture(33, "A".repeat(9_000), { columns: 3, rows: 2 }).split("\u001b\\");
    expect(pieces[0]).toMatch(/^._Ga=T,U=1,f=100,q=2,i=33,c=3,r=2,m=1;A{4096}$/);
    expect(pieces[1]).toMatch(/^._Gq=2,m=1;A{4096}$/);
    expect(pieces[2]).toMatch(/^._Gq=2,m=0;A{808}$/);
  });

  it("is rows of cells that are one column wide each", () => {
    const rows = placeholderRows(33, { columns: 3, rows: 2 });
    expect(rows.map((each) => stringWidth(textOfRow(each)))).toEqual([3, 3]);
    expect(textOfRow(rows[1] as Row)).toBe("\u{10eeee}\u030d\u0305\u{10eeee}\u030d\u030d\u{10eeee}\u030d\u030e");
    expect(rows[0]?.spans[0]?.style.fg).toBe(33);
  });
});

describe("sixels", () => {
  it("count equal columns, and leave out what is transparent", () => {
    const red = [255, 0, 0, 255];
    const clear = [0, 0, 0, 0];
    const rgba = Uint8Array.from([...red, ...red, ...red, ...red, ...red, ...clear]);
    expect(sixelPicture({ rgba, widthPx: 6, heightPx: 1 })).toBe('\u001bP0;1;0q"1;1;6;1#210;2;100;0;0#210!5@\u001b\\');
  });

  it("are in bands of six rows", () => {
    const rgba = new Uint8Array(7 * 4).fill(255);
    expect(sixelPicture({ rgba, widthPx: 1, heightPx: 7 })).toBe(
      '\u001bP0;1;0q"1;1;1;7#251;2;100;100;100#251~-#251@\u001b\\',
    );
  });
});

describe("pictures in the transcript", () => {
  const item = (...parts: ImagePart[]): TranscriptItem => ({
    kind: "user",
    id: "m1",
    origin: "user",
    at: "",
    content: [{ type: "text", text: "look" }, ...parts],
  });

  function transcript(graphics: Graphics | undefined, ...parts: ImagePart[]) {
    const written: string[] = [];
    const boxes: PictureBox[] = [];
    const changed = Promise.withResolvers<void>();
    const pictures = new DrawnPictures({
      graphics: async () => graphics,
      draw: async (box) => {
        boxes.push(box);
        return { data: Buffer.alloc(80 * 40 * 4, 255).toString("base64"), widthPx: 80, heightPx: 40 };
      },
      write: (data) => void written.push(data),
      changed: () => changed.resolve(),
    });
    const view = new TranscriptView({ code: new DrawingCode(), root: "/", keys: () => usualKeymap.names, pictures });
    view.resize(40, 6);
    view.show({ items: [item(...parts)], output: new Map() });
    const shown = () => view.rows().filter(({ spans }) => spans.length > 0);
    return { pictures, written, boxes, shown, changed: changed.promise };
  }

  it("are a line until they are there, then rows below it, asked for once", async () => {
    const { written, boxes, shown, changed, pictures } = transcript({ way: "placeholders", cell }, part("a.png"));
    expect(shown().map(textOfRow)).toEqual(["▌ look", "▌ [image a.png, 80×40, 3 bytes]"]);
    await changed;
    expect(shown()).toHaveLength(4);
    expect(shown().map(textOfRow)[2]).toBe(`▌ ${textOfRow(placeholderRows(33, { columns: 8, rows: 2 })[0] as Row)}`);
    expect(boxes).toEqual([{ data: "AAAA", widthPx: 380, heightPx: 320, form: "png" }]);
    expect(written.join("")).toContain("a=T,U=1,f=100,q=2,i=33,c=8,r=2,m=");
    pictures.close();
    expect(written.at(-1)).toBe("\u001b_Ga=d,d=I,q=2,i=33\u001b\\");
  });

  it.each([
    ["iterm", /^.\]1337;File=inline=1;size=12800;width=8;height=2;preserveAspectRatio=1;doNotMoveCursor=1:/],
    ["sixel", /^.P0;1;0q"1;1;80;40/],
  ] as const)("are blank rows to draw over with %s", async (way, bytes) => {
    const { shown, changed } = transcript({ way, cell }, part("a.png"));
    shown();
    await changed;
    const slices = shown().map(({ picture }) => picture);
    expect(slices.map((slice) => slice?.at)).toEqual([undefined, undefined, 0, 1]);
    expect(slices[2]?.picture).toMatchObject({ x: 2, columns: 8, rows: 2, bytes: expect.stringMatching(bytes) });
  });

  it("stay a line in a terminal that draws none", async () => {
    const { boxes, shown } = transcript(undefined, part("a.png"));
    for (let round = 0; round < 3; round++) {
      expect(shown()).toHaveLength(2);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(boxes).toEqual([]);
  });
});

describe("a painter with pictures that are drawn over cells", () => {
  const picture: InlinePicture = { x: 2, columns: 4, rows: 2, bytes: "<picture>" };
  const slice = (at: number): Row => ({ spans: [span("▌ ")], picture: { picture, at } });
  const rows = [slice(0), slice(1)];
  const line = (text: string) => row(span(text));
  const newPainter = () => new Painter({ columns: 10, rows: 4, theme: darkTheme, colours: "none" });
  const draws = (bytes: string) => bytes.split("<picture>").length - 1;
  const paint = (painter: Painter, ...frame: Row[]) => painter.paint({ rows: frame, cursor: undefined });

  it("draws one once, at its place, with the cursor as it was", () => {
    const painter = newPainter();
    const first = paint(painter, line("a"), ...rows, line("b"));
    expect(first).toContain("\u001b7\u001b[2;3H<picture>\u001b8");
    expect(draws(first)).toBe(1);
    expect(paint(painter, line("a"), ...rows, line("b"))).toBe("");
    const typed = paint(painter, line("a"), ...rows, line("c"));
    expect(draws(typed)).toBe(0);
    expect(typed).toContain("c");
  });

  it("writes the cells below one that moves or goes, and draws it at its new place", () => {
    const painter = newPainter();
    paint(painter, line("a"), ...rows, line("b"));
    const moved = paint(painter, ...rows, line("b"), line("d"));
    expect(moved).toContain("\u001b7\u001b[1;3H<picture>\u001b8");
    expect(moved).not.toMatch(/\[\d*;?\d*r/);
    const gone = paint(painter, line("e"), line(""), line("b"), line("d"));
    expect(draws(gone)).toBe(0);
    // The second row is blank before and after; it is written nonetheless.
    expect(gone).toContain("\u001b[K");
  });

  it("puts a line in place of one that is partly out of view, above as below, until all of it is there", async () => {
    const painter = new Painter({ columns: 40, rows: 4, theme: darkTheme, colours: "none" });
    const screen = new VirtualScreen({ columns: 40, rows: 4 });
    const show = async (...frame: Row[]): Promise<string[]> => {
      await screen.write(paint(painter, ...frame));
      return screen.lines();
    };
    const other: InlinePicture = { ...picture, rows: 3, bytes: "" };
    const below = (at: number): Row => ({ spans: [], picture: { picture: other, at } });
    const said = "(image: scroll to see all of it)";
    expect(await show(slice(1), line("a"), below(0), below(1))).toEqual([`▌ ${said}`, "a", said, ""]);
    expect(paint(painter, slice(1), line("a"), below(0), below(1))).toBe("");
    expect(await show(slice(1), below(0), below(1), below(2))).toEqual([`▌ ${said}`, "", "", ""]);
  });

  it("draws none with a missing row, and all of them on a screen that is not known", () => {
    const painter = newPainter();
    expect(draws(paint(painter, slice(1), line("a")))).toBe(0);
    expect(draws(paint(painter, line("a"), line("b"), line("c"), slice(0)))).toBe(0);
    expect(draws(paint(painter, ...rows, line("a")))).toBe(1);
    painter.invalidate();
    expect(draws(paint(painter, ...rows, line("a")))).toBe(1);
  });
});
