import { createElement as h } from "react";
import { describe, expect, it } from "vitest";
import { type Row, style, textOfRow } from "../text/style.ts";
import { CURSOR, chromeOf } from "./chrome.ts";
import { InkBridge, loadInk } from "./ink-bridge.ts";
import { FrameParser } from "./ink-frame.ts";

const texts = (rows: readonly Row[]): string[] => rows.map(textOfRow);

const ink = await loadInk();
const { Box, Text } = ink;

describe("InkBridge", () => {
  it("draws synchronously, once a render, with all colours and the mark of the cursor", () => {
    const frames: (readonly Row[])[] = [];
    const bridge = new InkBridge(ink, { columns: 20, rows: 24, onFrame: (rows) => frames.push(rows) });
    const tree = (text: string) =>
      h(
        Box,
        { flexDirection: "column", width: 20 },
        h(Text, null, "> ", text, h(Text, { color: String(CURSOR.fg) }, " ")),
        h(Text, { color: "#ff8800", bold: true }, "status"),
      );
    bridge.render(tree("hi"));
    expect(frames.length).toBe(1);
    expect(texts(frames[0] ?? [])).toEqual(["> hi ", "status"]);
    expect(chromeOf(frames[0] ?? []).cursor).toEqual({ x: 4, y: 0 });
    expect(frames[0]?.[1]?.spans[0]?.style).toBe(style({ fg: "#ff8800", bold: true }));
    bridge.render(tree("hi there"));
    expect(frames.length).toBe(2);
    expect(chromeOf(frames[1] ?? []).cursor).toEqual({ x: 10, y: 0 });
    expect(frames[1]?.[1]).toBe(frames[0]?.[1]);
    bridge.close();
    expect(frames.length).toBe(2);
  });

  it("lays out again at another width", () => {
    const frames: (readonly Row[])[] = [];
    const bridge = new InkBridge(ink, { columns: 20, rows: 10, onFrame: (rows) => frames.push(rows) });
    bridge.render(h(Box, null, h(Text, null, "[a日]")));
    const before = frames.length;
    bridge.resize(3, 10);
    expect(frames.length).toBeGreaterThan(before);
    expect(texts(frames.at(-1) ?? []).length).toBeGreaterThan(1);
    bridge.close();
  });

  it("leaves the environment, the globals and the signals as they were", async () => {
    const before = process.env.FORCE_COLOR;
    await loadInk();
    expect(process.env.FORCE_COLOR).toBe(before);
    expect(typeof globalThis.fetch).toBe("function");
    const listeners = process.listenerCount("SIGINT");
    const bridge = new InkBridge(ink, { columns: 9, rows: 3, onFrame: () => undefined });
    bridge.render(h(Text, null, "x"));
    bridge.close();
    expect(process.listenerCount("SIGINT")).toBe(listeners);
  });
});

describe("FrameParser", () => {
  it("carries colours over lines and drops other sequences", () => {
    const rows = new FrameParser().parse("\u001b[31mred\ngoes on\u001b[39m\u0007 plain\n");
    expect(rows.map(({ spans }) => spans)).toEqual([
      [{ text: "red", style: style({ fg: 1 }) }],
      [
        { text: "goes on", style: style({ fg: 1 }) },
        { text: " plain", style: style({}) },
      ],
    ]);
  });

  it("keeps the row objects of lines that did not change, wherever they went", () => {
    const parser = new FrameParser();
    const before = parser.parse("a\nb");
    const after = parser.parse("x\na\nb");
    expect(after[1]).toBe(before[0]);
    expect(after[2]).toBe(before[1]);
  });
});
