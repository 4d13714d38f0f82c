import { describe, expect, it } from "vitest";
import { screenOf } from "../../../test/painter.ts";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { keyTables } from "../../keymap/key-tables.ts";
import { Keymap } from "../../keymap/keymap.ts";
import { createStore } from "../../state/store.ts";
import { keyList } from "./state.ts";

const F2 = "\u001bOQ";

/** A window whose server stores keys like `keys.json`. */
async function opened(keys: Record<string, string[]> = {}): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["keys/get"] = () => ({ path: "/home/keys.json", keys, problems: [] });
  window.server.answers["keys/set"] = (asked) => {
    const given = asked as { action: string; keys: string[] | null };
    if (given.keys) keys[given.action] = given.keys;
    else delete keys[given.action];
    return { keys, problems: [] };
  };
  window.controller.start();
  await settled();
  return window;
}

async function press(window: TestWindow, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    window.send(key);
    await settled();
  }
}

function shown({ store }: TestWindow, columns = 120): string[] {
  if (store.get().overlay?.kind !== "keys") return [];
  const state = { ...store.get(), size: { columns, rows: 30 } };
  return screenOf({ store: createStore(state) });
}

describe("the list of keys", () => {
  it("opens with /keys; ? in an empty input shows a sheet of twelve, and in a text is a letter", async () => {
    const window = await opened();
    const rows = () => screenOf({ store: window.store });
    await press(window, "?");
    expect(rows().join("\n")).toMatch(/Write +Steer +Look/);
    expect(rows().at(-1)).toBe(" All keys: /keys · any key closes this");
    // The key that closes it is used.
    await press(window, "why", "?");
    expect([rows().join("\n").includes("Steer"), window.store.get().composer.buffer.text]).toEqual([false, "why?"]);
    await press(window, ESCAPE, "?", ESCAPE);
    expect([window.store.get().keySheet, window.store.get().screen]).toEqual([false, "home"]);
    await press(window, "?", "\u0013");
    expect([window.store.get().keySheet, window.store.get().screen]).toEqual([false, "settings"]);
    await press(window, ESCAPE);
    await press(window, ESCAPE, "/keys", "\r");
    expect(shown(window).length).toBe(30);
  });

  it.each([
    [false, {}, "Ctrl+J"],
    [true, {}, "Shift+Enter"],
    [false, { "input.newline": ["alt+enter"] }, "Alt+Enter"],
  ] as const)("the sheet names the key for a new line that works here (Shift+Enter: %s)", async (has, keys, named) => {
    const window = await opened({ ...keys } as Record<string, string[]>);
    window.terminal.hasShiftEnter = has;
    await press(window, "?");
    expect(screenOf({ store: window.store }).join("\n")).toMatch(new RegExp(`${named.replace("+", "\\+")} +new line`));
  });

  it("shows keys by place, is filtered by what is typed, and closes", async () => {
    const window = await opened();
    await press(window, "/keys", "\r", "agents", " ", "show");
    const rows = shown(window).filter((row) => row.trim() !== "");
    expect(rows[0]).toContain("filter: agents show");
    expect(rows[1]?.trim()).toBe("chat");
    expect(rows[2]).toMatch(/› Ctrl\+X A\s+Show the agents.*chat\.agents/);
    await press(window, ESCAPE);
    expect(shown(window)[0]?.trim()).toBe("Keys  type to filter");
    await press(window, ESCAPE);
    expect(window.store.get().overlay).toBeUndefined();
  });

  it("takes a paste into the filter, and the keys that edit text", async () => {
    const window = await opened();
    await press(window, "/keys", "\r", "\u001b[200~agents\nshow\u001b[201~");
    expect(shown(window)[0]).toContain("filter: agents show");
    await press(window, "\u0017", "show", "\u0001");
    expect(keyList.of(window.store.get())?.filter).toBe("agents show");
    await press(window, "\u0015");
    expect(keyList.of(window.store.get())?.filter).toBe("");
  });

  it("gives an action the key that is pressed next, which works at once", async () => {
    const window = await opened();
    await press(window, "/keys", "\r", "chat.agents", "\r");
    expect(shown(window).at(-1)).toContain("Press the key for chat.agents · Esc cancels");
    await press(window, F2);
    expect(window.server.paramsOf("keys/set")).toEqual([{ action: "chat.agents", keys: ["f2"] }]);
    expect(shown(window).join("\n")).toContain("chat.agents: F2");
    await press(window, ESCAPE, ESCAPE, "/new\r", F2);
    expect(window.store.get().notes.at(-1)?.text).toMatch(/no agents yet/);
    window.store.dispatch({ type: "notesCleared" });
    await press(window, "\u0018a");
    expect(window.store.get().notes.at(-1)?.text).toBe("Ctrl+X A does nothing here.");
  });

  it("takes a key that means something everywhere, too", async () => {
    const window = await opened();
    await press(window, "/keys", "\r", "chat.todos", "\r", "\u0013", "\r");
    expect(window.store.get().screen).toBe("home");
    expect(window.server.paramsOf("keys/set")).toEqual([{ action: "chat.todos", keys: ["ctrl+s"] }]);
    expect(shown(window).join("\n")).toMatch(/Ctrl\+S is the key of chat\.todos and of anywhere\.settings/);
  });

  it("takes a chord: a key that can begin one waits for the second, or for Enter", async () => {
    const keys = {};
    const window = await opened(keys);
    await press(window, "/keys", "\r", "chat.todos", "\r", "\u0002");
    expect(shown(window).at(-1)).toBe(" Enter takes Ctrl+B · a second key makes a chord · Esc cancels");
    expect(window.server.paramsOf("keys/set")).toEqual([]);
    await press(window, "t");
    expect(keys).toEqual({ "chat.todos": ["ctrl+b t"] });
    expect(shown(window).join("\n")).toContain("Ctrl+B begins chords, so input.left cannot use it alone.");
    await press(window, "\r", "\u0019", "\r");
    expect(keys).toEqual({ "chat.todos": ["ctrl+y"] });
    await press(window, "\t", "\u0018", "q");
    expect(keys).toEqual({ "chat.todos": ["ctrl+y", "ctrl+x q"] });
    await press(window, "\r", "\u001bj", ESCAPE);
    expect(keys).toEqual({ "chat.todos": ["ctrl+y", "ctrl+x q"] });
    expect(shown(window).at(-1)).toContain("Enter change");
  });

  it("adds a key, takes all away, and gives an action its own back", async () => {
    const keys = {};
    const window = await opened(keys);
    await press(window, "/keys", "\r", "chat.todos", "\t", F2);
    expect(keys).toEqual({ "chat.todos": ["ctrl+t", "f2"] });
    await press(window, "\u001b[3~");
    expect(keys).toEqual({ "chat.todos": [] });
    expect(shown(window).join("\n")).toMatch(/› no key\s+Show all/);
    await press(window, ESCAPE);
    const { actions = [] } = keyList.of(window.store.get())?.keymap ?? {};
    const index = actions.findIndex(({ action }) => action === "chat.todos");
    await press(window, ...Array.from({ length: index }, () => "\u001b[B"), "\u007f");
    expect(keys).toEqual({});
  });

  it("changes nothing when Escape is pressed, and says which key cannot be had", async () => {
    const window = await opened();
    await press(window, "/keys", "\r", "chat.todos", "\r", ESCAPE);
    expect(window.server.paramsOf("keys/set")).toEqual([]);
    await press(window, "\r", "\u001b[105;5u");
    expect(shown(window).join("\n")).toContain("cannot be distinguished from Tab");
    expect(window.server.paramsOf("keys/set")).toEqual([]);
  });

  it("begins with what a newcomer needs, and ends with the keys that edit text", async () => {
    const window = await opened();
    await press(window, "/keys", "\r");
    const text = shown(window, 80).join("\n");
    expect(text).toContain("In the input: / commands · ! shell · @ files");
    for (const key of ["› Esc", "Ctrl+O", "Shift+Tab", "Ctrl+F"]) expect(text).toContain(`${key} `);
    const actions = window.store.get().keymap.actions.map(({ action }) => action);
    const needed = ["anywhere.escape", "chat.permissionMode", "chat.sendOther", "input.historySearch", "input.editor"];
    expect(actions.filter((action) => needed.includes(action))).toEqual(needed);
    expect(actions.indexOf("input.historySearch")).toBeLessThan(30);
    expect(actions.slice(actions.indexOf("input.deleteBack")).every((action) => action.startsWith("input."))).toBe(
      true,
    );
  });

  it("shows every key and purpose in full at 80 columns", async () => {
    const window = await opened();
    await press(window, "/keys", "\r");
    for (const { action } of window.store.get().keymap.actions) {
      const rows = shown(window, 80);
      expect(
        rows.filter((row) => row.includes("…")),
        action,
      ).toEqual([]);
      expect(rows.at(-1)).toMatch(/ Esc back$/);
      await press(window, "\u001b[B");
    }
  });

  it("fits into a narrow window", async () => {
    const window = await opened();
    await press(window, "/keys", "\r");
    expect(Math.max(...shown(window, 60).map((row) => row.length))).toBeLessThanOrEqual(60);
    expect(shown(window, 60).join("\n")).not.toContain("input.submit");
  });
});

describe("keys.json", () => {
  it("counts from the start, and what is wrong in it is said once", async () => {
    const window = await opened({ "chat.new": ["f2"], "chat.nonsense": ["f3"] });
    expect(window.store.get().notes.map(({ text }) => text)).toEqual([
      'Your keys (/home/keys.json): There is no action "chat.nonsense". /keys lists the actions. /keys shows them.',
    ]);
    await press(window, F2);
    expect(window.store.get().screen).toBe("chat");
  });

  it("counts at once when it is edited by hand, and a mistake in it is said once", async () => {
    const keys: Record<string, string[]> = {};
    const window = await opened(keys);
    const change = async () => {
      window.server.listeners?.notices["keys/changed"]?.({});
      await settled();
    };
    keys["chat.new"] = ["f2"];
    await change();
    await press(window, F2);
    expect(window.store.get().screen).toBe("chat");
    const broken = "/home/keys.json is not used: it is not valid JSON.";
    window.server.answers["keys/get"] = () => ({ path: "/home/keys.json", keys, problems: [broken] });
    await change();
    await change();
    expect(window.store.get().notes.map(({ text }) => text)).toEqual([`${broken} /keys shows them.`]);
    expect(window.store.get().keymap?.keysOf("chat.new")).toEqual(["f2"]);
  });

  it("can give Escape and chords of its own", async () => {
    const window = await opened({
      "anywhere.escape": ["f2"],
      "anywhere.history": ["ctrl+b h"],
      "input.left": ["left"],
    });
    await press(window, "draft", ESCAPE);
    expect(window.store.get().composer.buffer.text).toBe("draft");
    await press(window, F2);
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
    await press(window, "\u0002");
    expect(window.store.get().chord?.next.map(({ key }) => key)).toEqual(["h"]);
    await press(window, "h");
    expect(window.store.get().screen).toBe("history");
  });

  it("has no conflict with the keys as they are", () => {
    expect(new Keymap(keyTables).problems).toEqual([]);
  });
});
