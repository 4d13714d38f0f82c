import { itemText } from "@harness/client/actions";
import { emptySession, type TranscriptItem } from "@harness/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";
import type { Transcript } from "../app/transcript-scope.ts";
import { usualKeymap } from "../keymap/keymap.ts";
import { TranscriptView } from "../render/transcript/index.ts";
import { shownAgent } from "../state/agents.ts";
import { initialState } from "../state/app-state.ts";
import { createStore } from "../state/store.ts";
import { DrawingCode } from "../text/markdown/drawing-code.ts";
import { textOfRow } from "../text/style.ts";
import { FindController } from "./find-controller.ts";
import { findRows } from "./find-rows.ts";

const CTRL_F = "\u0006";
const UP = "\u001b[A";
const DOWN = "\u001b[B";
const code = new DrawingCode();
beforeAll(async () => {
  void code.lexer;
  await code.ready();
});

function bound(view: TranscriptView): Partial<Transcript> {
  return {
    reveal: (...asked) => view.reveal(...asked),
    mark: (...asked) => view.mark(...asked),
    toStart: () => view.toStart(),
    toEnd: () => view.toEnd(),
  };
}

type FindWindow = { window: TestWindow; rows(): string[]; bar(): string };

/** A window in Chat with a session of these messages, and its real transcript in 10 rows. */
async function opened(items: TranscriptItem[]): Promise<FindWindow> {
  const transcript = new TranscriptView({ code, root: "/work", keys: () => usualKeymap.names });
  transcript.resize(40, 10);
  const window = testWindow({}, {}, undefined, bound(transcript));
  window.controller.start();
  await settled();
  window.send("hello\r");
  await settled();
  const agent = shownAgent(window.store.get());
  agent?.items.splice(0, agent.items.length, ...items);
  if (agent) transcript.show(agent);
  return {
    window,
    rows: () => transcript.rows().map((row) => textOfRow(row).trimEnd()),
    bar() {
      const { find } = window.store.get();
      return find
        ? textOfRow(findRows(find, { columns: 60, keys: usualKeymap.names }).rows[1] ?? { spans: [] }).trimEnd()
        : "";
    },
  };
}

const at = "2026-11-21T12:00:00.000Z";
const user = (n: number, text: string): TranscriptItem => ({
  kind: "user",
  id: `u${n}`,
  content: [{ type: "text", text }],
  origin: "user",
  at,
});
const agent = (n: number, text: string, thinking = ""): TranscriptItem => ({
  kind: "agent",
  id: `a${n}`,
  parts: [...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }]), { type: "text", text }],
  cut: false,
  model: "m",
  at,
});
const talk = Array.from({ length: 60 }, (_, n) => user(n, n % 20 === 0 ? `Needle ${n}` : `straw ${n}`));

describe("the search in the conversation", () => {
  it("opens with Ctrl+F in an empty input, finds while one types, and begins with the newest", async () => {
    const { window, rows, bar } = await opened(talk);
    window.send(CTRL_F);
    expect(bar()).toMatch(/^find: .*Esc closes$/);
    window.send("needle");
    expect(bar()).toMatch(/^find: needle +1 of 3 {2}Enter goes on/);
    expect(rows().join("\n")).toContain("Needle 40");
  });

  it("goes from match to match with n and N, round the ends", async () => {
    const { window, rows, bar } = await opened(talk);
    window.send(`${CTRL_F}needle`);
    window.send("\r");
    const places: string[] = [];
    for (const key of ["n", "n", "n", "N", UP, DOWN]) {
      window.send(key);
      places.push(
        `${bar().match(/\d of \d/)?.[0]} ${
          rows()
            .join(" ")
            .match(/Needle \d+/)?.[0]
        }`,
      );
    }
    expect(places).toEqual([
      "2 of 3 Needle 20",
      "3 of 3 Needle 0",
      "1 of 3 Needle 40",
      "3 of 3 Needle 0",
      "1 of 3 Needle 40",
      "3 of 3 Needle 0",
    ]);
  });

  it("with text in the input Ctrl+F is one character right", async () => {
    const { window, bar } = await opened(talk);
    window.send(`ab\u001b[D\u001b[D${CTRL_F}`);
    expect(bar()).toBe("");
    expect(window.store.get().composer.buffer.offset).toBe(1);
  });

  it("finds what is folded, opens it to show it, and folds it again", async () => {
    const items = [agent(1, "Done.", "one\ntwo\nsecret thought\nthree"), ...talk, user(99, "a secret at the end")];
    const { window, rows, bar } = await opened(items);
    window.send(`${CTRL_F}secret`);
    expect(bar()).toContain("1 of 2");
    window.send("\r");
    window.send("n");
    expect(rows().join("\n")).toContain("secret thought");
    window.send("n");
    window.send("\u001b[1;5H");
    expect(rows().join("\n")).not.toContain("secret thought");
  });

  it("counts every place in a message, and goes to each of them", async () => {
    const lines = Array.from({ length: 40 }, (_, n) => (n % 10 === 0 ? `mark ${n}` : `line ${n}`)).join("\n\n");
    const { window, rows, bar } = await opened([user(1, "hi"), agent(2, lines)]);
    window.send(`${CTRL_F}mark`);
    const places = [
      rows()
        .join(" ")
        .match(/mark \d+/g)
        ?.join(),
    ];
    for (const _ of [1, 2, 3]) {
      window.send(CTRL_F);
      places.push(
        rows()
          .join(" ")
          .match(/mark \d+/g)
          ?.join(),
      );
    }
    expect(places).toEqual(["mark 30", "mark 20", "mark 10", "mark 0"]);
    expect(bar()).toContain("4 of 4");
  });

  it("changes no draft, sends nothing, and says where nothing is found", async () => {
    const { window, bar } = await opened(talk);
    const sent = window.server.paramsOf("session/prompt").length;
    window.send(`${CTRL_F}zzz`);
    expect(bar()).toMatch(/find: zzz +nothing found/);
    window.send("\r");
    window.send("abc\t\u0012");
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
    window.send("\u007f\u007f\u007f");
    expect(bar()).toMatch(/find: z /);
    window.send(ESCAPE);
    expect(bar()).toBe("");
    window.send("draft");
    expect(window.store.get().composer.buffer.text).toBe("draft");
    expect(window.server.paramsOf("session/prompt").length).toBe(sent);
  });

  it("is opened by /find, with words at once", async () => {
    const { window, rows, bar } = await opened(talk);
    window.send("/find needle 2\r");
    await settled();
    expect(bar()).toMatch(/find: needle 2 +1 of 1$/);
    expect(rows().join("\n")).toContain("Needle 20");
  });

  it("marks the matches in view, the one that was gone to apart, and keeps the rows as they are else", async () => {
    const transcript = new TranscriptView({ code, root: "/work", keys: () => usualKeymap.names });
    transcript.resize(40, 10);
    const items = [user(1, "needle one"), user(2, "straw"), user(3, "the needle two")];
    transcript.show({ items, output: new Map() });
    const before = transcript.rows();
    const row = transcript.reveal(2, () => 0);
    transcript.mark("needle", row);
    const after = transcript.rows();
    const marked = after.map(({ spans }) => spans.filter(({ text }) => text === "needle").map(({ style }) => style));
    expect(marked.flat()).toHaveLength(2);
    expect(new Set(marked.flat()).size).toBe(2);
    expect(after.filter((each, y) => each === before[y])).toHaveLength(before.length - 2);
    expect(transcript.rows().every((each, y) => each === after[y])).toBe(true);
    transcript.mark("");
    expect(transcript.rows().every((each, y) => each === before[y])).toBe(true);
  });

  it("leaves time for other things while it goes through a long conversation", () => {
    const size = { columns: 80, rows: 24 };
    const store = createStore(initialState({ cwd: "/work", version: "1", size }));
    const items = Array.from({ length: 300 }, (_, n) => user(n, `straw ${n}`));
    store.dispatch({ type: "sessionOpened", session: emptySession("s1"), title: undefined, nowMs: 0 });
    store.dispatch({ type: "screenShown", screen: "chat" });
    shownAgent(store.get())?.items.push(user(999, "needle"), ...items);
    let now = 0;
    const later: (() => void)[] = [];
    // Each reading of the clock takes a millisecond.
    const clock = {
      now: () => now++,
      wallNow: () => now,
      after(_: number, run: () => void) {
        later.push(run);
        return () => undefined;
      },
    };
    const find = new FindController(
      { store, clock },
      { reveal: () => undefined, mark: () => undefined, onceShown: () => undefined },
    );
    find.open("needle");
    expect(store.get().find).toMatchObject({ total: 0, searching: true });
    let slices = 1;
    for (let run = later.shift(); run; run = later.shift(), slices++) run();
    expect(store.get().find).toMatchObject({ total: 1, at: 1, searching: false });
    expect(slices).toBeGreaterThan(30);
  });
});

describe("the text of an item that is searched", () => {
  it("is what people see of a call: its blocks, or its text where there are none", () => {
    const outcome = { status: "ok" as const, text: "for the model", durationMs: 1 };
    const call = (blocks: NonNullable<Extract<TranscriptItem, { kind: "tool" }>["outcome"]>["blocks"]) =>
      itemText({
        kind: "tool",
        id: "t",
        name: "bash",
        title: "run",
        status: "completed",
        at,
        outcome: { ...outcome, blocks },
      });
    expect(call([])).toBe("run\nfor the model");
    expect(call([{ type: "terminal", command: "ls", output: "a.ts", exitCode: 0, durationMs: 1 }])).toBe(
      "run\nls\na.ts",
    );
  });
});
