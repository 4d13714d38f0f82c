import { describe, expect, it } from "vitest";
import { painterOf } from "../../test/painter.ts";
import { base, frameOf, permission, session, shownScreens, summary, typed } from "../../test/screen-samples.ts";
import { TextBuffer } from "../input/index.ts";
import { type AppState, initialState } from "../state/app-state.ts";
import { permissionDialog } from "../state/dialogs.ts";
import { createStore } from "../state/store.ts";
import { textOfRow } from "../text/style.ts";
import { emptyHistory } from "./history/state.ts";

describe.each([
  [80, 24],
  [120, 40],
])("at %i×%i", (columns, rows) => {
  it.each(Object.keys(shownScreens))("%s", (name) => {
    const { lines, text } = frameOf({ columns, rows }, shownScreens[name] ?? {});
    expect(lines.length).toBe(rows);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    // The total length of the help changes with each new key and command.
    expect(text.replace(/\d+ more below/, "N more below")).toMatchSnapshot();
  });
});

describe("the cursor", () => {
  it("stands in the composer, behind wide characters", () => {
    const { cursor } = frameOf({ columns: 80, rows: 24 }, { composer: typed("日本") });
    expect(cursor).toEqual({ x: 6, y: 21 });
  });

  it("is in the field of a dialog while typing, and hidden while it waits for a key", () => {
    const dialog = { ...permissionDialog("s", permission), armed: true };
    const inChat = { screen: "chat" as const, session: session() };
    const waiting = frameOf({ columns: 80, rows: 24 }, { ...inChat, dialogs: [dialog] });
    expect(waiting.cursor).toBeUndefined();
    const typing = frameOf(
      { columns: 80, rows: 24 },
      { ...inChat, dialogs: [{ ...dialog, feedback: TextBuffer.of("no") }] },
    );
    const line = typing.lines[typing.cursor?.y ?? 0];
    expect(line).toContain("No. Do this instead: no");
    expect(line?.slice(0, typing.cursor?.x)).toMatch(/No. Do this instead: no$/);
  });
});

describe("a dialog that is answered", () => {
  it("leaves the screen when nothing else is between transcript and input", () => {
    const start = { ...initialState({ cwd: "/", version: "1", size: { columns: 80, rows: 24 } }), ...base };
    const dialog = permissionDialog("s1", permission);
    const store = createStore({ ...start, screen: "chat", session: session(), dialogs: [dialog] });
    const painter = painterOf(store);
    const text = (): string => painter.draw().rows.map(textOfRow).join("\n");
    expect(text()).toContain("Run a command");
    store.dispatch({ type: "dialogRemoved", id: dialog.id });
    expect(text()).not.toContain("Run a command");
    painter.close();
  });
});

describe("a component that throws", () => {
  it("ends the window in order instead of drawing its stack", () => {
    const size = { columns: 80, rows: 24 };
    const slices = { home: { waiting: [], recent: [null] } };
    const store = createStore({ ...initialState({ cwd: "/", version: "1", size }), ...base, slices });
    const failures: Error[] = [];
    const painter = painterOf(store, { onFailure: (error) => failures.push(error) });
    const text = painter.draw().rows.map(textOfRow).join("");
    expect(failures.length).toBe(1);
    expect(text).not.toContain("TypeError");
    painter.close();
  });
});

describe("odd sizes", () => {
  it.each([
    [23, 24],
    [80, 4],
    [5, 3],
  ])("says that %i×%i is too small", (columns, rows) => {
    const { text } = frameOf({ columns, rows }, {});
    expect(text).toMatch(/^The\s+t/);
    expect(text.replace(/\s/g, "")).toContain("toosmall");
  });

  it.each(Object.keys(shownScreens))("fits 40×8: %s", (name) => {
    const { lines } = frameOf({ columns: 40, rows: 8 }, shownScreens[name] ?? {});
    expect(lines.length).toBe(8);
  });

  it("shows text of models and files without their escape sequences", () => {
    const evil = "\u001b]0;owned\u0007\u001b[2Jtitle\u202e";
    const sessions = [summary("s1", evil)];
    const slices = {
      home: { waiting: [], recent: sessions, marked: undefined },
      history: { ...emptyHistory, sessions },
    };
    const state: Partial<AppState> = {
      slices,
      notes: [{ severity: "error", text: evil }],
      link: { status: "failed", text: evil },
    };
    for (const screen of ["home", "chat", "history"] as const) {
      const { text } = frameOf({ columns: 80, rows: 24 }, { ...state, screen });
      expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e|owned/u);
    }
  });
});
