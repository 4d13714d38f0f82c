import { copyToTerminal } from "@harness/client/actions";
import { describe, expect, it } from "vitest";
import type { CellPosition } from "../render/screen-selection.ts";
import { row, span } from "../text/index.ts";
import { Pointer } from "./pointer.ts";

const AREA = { top: 0, end: 0 };

function pointer(...texts: string[]) {
  return pointerOf(texts);
}

function pointerOf(texts: readonly string[], { copiesAtOnce = true } = {}) {
  const seen = { written: [] as string[], clicks: [] as CellPosition[], said: [] as string[] };
  let now = 0;
  const made = new Pointer({
    clock: { now: () => now, wallNow: () => now, after: () => () => undefined },
    terminal: { write: (data) => seen.written.push(data), env: {} },
    changed: () => undefined,
    isControl: () => false,
    clicked: (cell) => seen.clicks.push(cell),
    copied: (words) => seen.said.push(words),
    copiesAtOnce: () => copiesAtOnce,
  });
  made.drawn({ rows: texts.map((text) => row(span(text))) }, AREA);
  const at = (action: "press" | "drag" | "release", x: number, y = 0) => made.take({ type: "mouse", action, x, y });
  return { ...seen, made, at, wait: (ms: number) => (now += ms) };
}
const osc = (text: string) => `\u001b]52;c;${Buffer.from(text).toString("base64")}\u001b\\`;

describe("the mouse", () => {
  it("copies what was dragged over when the button is released, and tells once how else to copy", () => {
    const { at, written, said, clicks } = pointer("grüße an alle", "second");
    at("press", 0);
    at("drag", 3);
    at("drag", 4);
    at("release", 4);
    at("press", 0);
    at("drag", 2, 1);
    at("release", 2, 1);
    expect(written).toEqual([osc("grüße"), osc("grüße an alle\nsec")]);
    expect(said).toEqual([
      expect.stringMatching(/^Copied 5 characters\. If your clipboard is empty/),
      "Copied 2 lines.",
    ]);
    expect(clicks).toEqual([]);
  });

  it("copies nothing by itself where that is set so, and keeps what is marked for the key", () => {
    const { at, written, made, clicks } = pointerOf(["some words"], { copiesAtOnce: false });
    at("press", 0);
    at("drag", 3);
    at("release", 3);
    expect([written, clicks]).toEqual([[], []]);
    expect(made.copyMarked()).toBe(true);
    expect(written).toEqual([osc("some")]);
    made.clear();
    expect(made.copyMarked()).toBe(false);
  });

  it("a double click copies a word, a third one the row, and a slow one is a click", () => {
    const { at, written, clicks, wait } = pointer("run npm test");
    const click = () => {
      at("press", 5);
      at("release", 5);
    };
    click();
    click();
    click();
    wait(1_000);
    click();
    expect(written).toEqual([osc("npm"), osc("run npm test")]);
    expect(clicks).toEqual([
      { x: 5, y: 0 },
      { x: 5, y: 0 },
    ]);
  });

  it("a key takes the marks away", () => {
    const { made, at } = pointer("text");
    at("press", 0);
    at("drag", 2);
    const frame = { rows: [row(span("text"))] };
    expect(made.drawn(frame, AREA).rows[0]?.spans.length).toBe(2);
    made.clear();
    expect(made.drawn(frame, AREA)).toBe(frame);
  });

  it("a drag or release without its press does nothing", () => {
    const { at, written, clicks } = pointer("text");
    at("drag", 2);
    at("release", 3);
    expect([written, clicks]).toEqual([[], []]);
  });

  it("more than terminals take is cut, and said so", () => {
    expect(copyToTerminal("x".repeat(100_000), { write: () => undefined, env: {} })).toBe(
      "Copied the first 74000 characters: terminals accept no more at once.",
    );
    expect(copyToTerminal("x", { write: () => undefined, env: {} })).toBe("Copied 1 character.");
  });
});
