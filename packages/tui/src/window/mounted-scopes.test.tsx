// The components of a window name their key scopes: a real tree in Ink, without a terminal.
import { describe, expect, it } from "vitest";
import { mountedIn } from "../../test/mounted-scopes.ts";
import { painterOf } from "../../test/painter.ts";
import { base, shownScreens } from "../../test/screen-samples.ts";
import { testWindow } from "../../test/scripted-server.ts";
import { MountedScopes } from "../keymap/mounted-scopes.ts";
import { type AppState, initialState } from "../state/app-state.ts";
import { createStore } from "../state/store.ts";
import { trustDialog } from "../state/trust-dialog.ts";

const trust = trustDialog(
  { root: "/work", state: "untrusted", hash: "a", items: [{ kind: "hook", path: "hooks/1", detail: "runs" }] },
  { asked: true },
);

/** A window with its real components, which get its keys while mounted. `layouts`: how often Ink has drawn. */
function realWindow() {
  const window = testWindow();
  const scopes = new MountedScopes();
  const count = { layouts: 0 };
  const painter = painterOf(window.store, {
    scopes,
    onLayout: () => {
      count.layouts += 1;
    },
  });
  window.tree.mounted = () => {
    painter.mount();
    return scopes.inOrder;
  };
  return { window, painter, count };
}

describe("the scopes of mounted components", () => {
  it("are those of the screen, of what covers it, and of the input, from top to bottom", () => {
    const start = initialState({ cwd: "/work/demo", version: "1.2.3", size: { columns: 80, rows: 24 } });
    const scopes = new MountedScopes();
    const store = createStore({ ...start, ...base });
    const painter = painterOf(store, { scopes });
    const states: Partial<AppState>[] = Object.values(shownScreens);
    const under = ["home", "chat", "settings", "history"].map((screen) => ({ screen, trust }));
    const seen = new Set<string>();
    for (const changes of [...states, ...under, ...states.toReversed()]) {
      store.set({ ...start, ...base, overlay: undefined, trust: undefined, ...changes });
      painter.draw();
      expect(scopes.inOrder).toEqual(mountedIn(store.get()));
      for (const name of scopes.inOrder) seen.add(name);
    }
    painter.close();
    expect([...seen]).toEqual(
      expect.arrayContaining(["trust", "session", "dialog", "conversation", "home", "history", "settings", "input"]),
    );
    expect([...seen]).toEqual(expect.arrayContaining(["help", "doctor", "models"]));
  });

  it("have the key behind the one that opens them, in the same read", () => {
    const { window, painter } = realWindow();
    window.send("\u0018l/abc");
    expect(window.store.get().slices.history).toMatchObject({ filter: "abc" });
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
    window.send("\r\u001b");
    window.send("\u0018hword");
    expect([window.store.get().screen, window.store.get().composer.buffer.text]).toEqual(["home", "word"]);
    painter.close();
  });

  it("are laid out for a key only where the key before it has mounted something", () => {
    const { window, painter, count } = realWindow();
    window.send("a");
    painter.draw();
    count.layouts = 0;
    window.send("bcd");
    expect(count.layouts).toBe(0);
    window.send("\u0013");
    expect(count.layouts).toBe(0);
    window.send("x");
    expect(count.layouts).toBe(1);
    painter.close();
  });

  it("leave the keys that end the window where it is too small for components", () => {
    const { window, painter } = realWindow();
    window.store.set({ size: { columns: 5, rows: 2 } });
    window.send("x\u0003\u0003");
    expect([window.left, window.store.get().composer.buffer.text]).toEqual([[130], ""]);
    painter.close();
  });
});
