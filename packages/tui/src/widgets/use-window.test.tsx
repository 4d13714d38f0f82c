// When the components of a window are redrawn: a real tree in Ink, without a terminal.
import { describe, expect, it } from "vitest";
import { FRAME_AT } from "../../test/frame.ts";
import { painterOf } from "../../test/painter.ts";
import { typed } from "../../test/screen-samples.ts";
import { initialState } from "../state/app-state.ts";
import { createStore } from "../state/store.ts";
import { textOfRow } from "../text/style.ts";
import { type FrameContent, FrameStore, oncePerMoment } from "./frame-content.ts";

const moment = (tick: number): FrameContent => ({ tick }) as FrameContent;

describe("moments", () => {
  it("draw only those that read something else", () => {
    const moments = new FrameStore(moment(1));
    const drawn: string[] = [];
    let seen = 1;
    moments.add({ mounts: false, isStale: ({ tick }) => tick !== seen, changed: () => drawn.push("counts") });
    const leave = moments.add({ mounts: true, isStale: () => false, changed: () => drawn.push("is still") });
    expect(moments.advance(moment(1))).toBe(false);
    expect(moments.advance(moment(2))).toBe(true);
    seen = 2;
    leave();
    expect(moments.advance(moment(2))).toBe(false);
    expect(drawn).toEqual(["counts"]);
  });

  it("are read once, however many ask", () => {
    let reads = 0;
    const read = oncePerMoment(({ tick }) => {
      reads += 1;
      return tick * 2;
    });
    const now = moment(4);
    expect([read(now), read(now), read(moment(5)), reads]).toEqual([8, 8, 10, 2]);
  });
});

describe("the tree of a window", () => {
  const start = { ...initialState({ cwd: "/work", version: "1", size: { columns: 60, rows: 16 } }), screen: "chat" };

  it("is laid out by Ink when a height changes, and not for a key", () => {
    const store = createStore(start);
    let layouts = 0;
    const onLayout = (): void => {
      layouts += 1;
    };
    const painter = painterOf(store, { wallMs: Date.parse(FRAME_AT), onLayout });
    const lines = (): string[] => painter.draw().rows.map((each) => textOfRow(each).trimEnd());
    store.set({ composer: typed("a") });
    lines();
    layouts = 0;
    store.set({ composer: typed("ab") });
    expect([lines().some((line) => line.includes("> ab")), layouts]).toEqual([true, 0]);
    store.set({ composer: typed("ab\ncd") });
    expect([lines().some((line) => line.trim() === "cd"), layouts]).toEqual([true, 1]);
    store.note("info", "A word.");
    expect([lines().some((line) => line.includes("A word.")), layouts]).toEqual([true, 2]);
    painter.close();
  });
});
