import { describe, expect, it } from "vitest";
import { InputParser } from "../input/index.ts";
import { initialState } from "../state/app-state.ts";
import { createStore } from "../state/store.ts";
import { row, span } from "../text/index.ts";
import { textOfRow } from "../text/style.ts";
import { lastScreens } from "./last-screens.ts";
import { Pointer } from "./pointer.ts";
import { TextMarker } from "./text-marker.ts";

/** A conversation of 20 rows, five of them in view above an input. */
function opened() {
  const all = Array.from({ length: 20 }, (_, n) => row(span(`line ${n} of the text`)));
  const input = row(span("> input"));
  const area = { top: 0, end: 5 };
  let top = 15;
  const copied: string[] = [];
  const store = createStore(initialState({ cwd: "/work", version: "1", size: { columns: 40, rows: 6 } }));
  const pointer: Pointer = new Pointer({
    clock: { now: () => 0, wallNow: () => 0, after: () => () => undefined },
    terminal: {
      write: (data) => copied.push(Buffer.from(data.split(";")[2]?.slice(0, -2) ?? "", "base64").toString()),
      env: {},
    },
    changed: () => undefined,
    isControl: () => false,
    clicked: () => undefined,
    copied: () => undefined,
    copiesAtOnce: () => true,
  });
  const scrollBy = (count: number) => {
    top = Math.max(0, Math.min(15, top + count));
  };
  const transcript = { scrollBy, page: (by: number) => scrollBy(by * 3) };
  const marking = new TextMarker({ store, pointer: () => pointer, transcript, area: () => area });
  const draw = () => marking.drawn({ rows: [...all.slice(top, top + 5), input] }, area);
  const parser = new InputParser({
    onEvent: (event) => {
      marking.take(event);
      draw();
    },
    timer: { set: (_, expired) => expired(), clear: () => undefined },
  });
  draw();
  return { store, marking, copied, draw, press: (keys: string) => parser.push(Buffer.from(keys)) };
}

const [UP, DOWN, RIGHT, END] = ["\u001b[A", "\u001b[B", "\u001b[C", "\u001b[F"];

describe("marking with keys", () => {
  it("begins with a cursor in the last row of the conversation", () => {
    const { marking, draw, store } = opened();
    expect(marking.isOn).toBe(false);
    marking.start();
    expect(draw().cursor).toEqual({ x: 0, y: 4 });
    expect(store.get().marking).toBe(true);
  });

  it("copies from where it was begun to the cursor", () => {
    const { marking, press, copied, store } = opened();
    marking.start();
    press(`${UP}${UP}${RIGHT}${RIGHT} ${DOWN}${END}`);
    press("\r");
    expect(copied).toEqual(["ne 17 of the text\nline 18 of the text"]);
    expect([marking.isOn, store.get().marking]).toEqual([false, false]);
  });

  it("goes on over the edge of the screen, and copies what has scrolled out of sight", () => {
    const { marking, press, copied } = opened();
    marking.start();
    press(`${END} `);
    for (let row = 0; row < 9; row++) press(UP);
    press("0y");
    const lines = copied[0]?.split("\n") ?? [];
    expect(lines.length).toBe(10);
    expect([lines[0], lines.at(-1)]).toEqual(["line 10 of the text", "line 19 of the text"]);
  });

  it("copies nothing before it was begun, or when it is closed, and lets no other key through", () => {
    const { marking, press, copied } = opened();
    marking.start();
    press("\r");
    marking.start();
    press(` ${UP}xy`);
    expect(copied.length).toBe(1);
    marking.start();
    press(` ${UP}q`);
    expect([copied.length, marking.isOn]).toEqual([1, false]);
  });

  it("shows what is marked", () => {
    const { marking, press, draw } = opened();
    marking.start();
    press(` ${RIGHT}`);
    const spans = draw().rows[4]?.spans ?? [];
    expect(spans[0]?.text).toBe("li");
    expect(spans[0]?.style).not.toBe(spans[1]?.style);
  });
});

describe("the screens that stay when the window closes", () => {
  const text = ["", "", "question", "", "answer", ""].map((each) => row(span(each)));
  const view = () => {
    const asked: number[] = [];
    const transcript = {
      mark: () => undefined,
      toEnd: () => undefined,
      resize: (_: number, rows: number) => void asked.push(rows),
      rows: () => text,
    };
    return { transcript, asked };
  };
  const state = initialState({ cwd: "/work", version: "1", size: { columns: 40, rows: 10 } });
  const session = { sessionId: "s1" } as NonNullable<typeof state.session>;

  it("are the last ones of the conversation, without empty rows around them", () => {
    const { transcript, asked } = view();
    expect(lastScreens({ ...state, session }, { transcript, count: 3 })).toEqual(["question", "", "answer", ""]);
    expect(asked).toEqual([30]);
  });

  it("are none where none are wanted, and none without a conversation", () => {
    const { transcript } = view();
    expect(lastScreens({ ...state, session }, { transcript, count: 0 })).toEqual([]);
    expect(lastScreens(state, { transcript, count: 2 })).toEqual([]);
    expect(textOfRow(text[2] ?? row())).toBe("question");
  });
});
