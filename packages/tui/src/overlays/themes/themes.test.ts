import { describe, expect, it } from "vitest";
import { screenOf } from "../../../test/painter.ts";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { settingsSlice, settingValue } from "../../screens/settings/state.ts";
import { createStore } from "../../state/store.ts";
import { previewedTheme } from "./state.ts";

const DOWN = "\u001b[B";
const view = {
  ...{ key: "theme", title: "Theme", group: "Window", takesEffect: "now", doc: "Colours", type: "choice" },
  ...{ choices: ["auto", "dark"], value: "nord", default: "auto", source: "user" },
};

async function opened(overriddenBy?: string): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["settings/get"] = () => ({
    settings: [{ ...view, ...(overriddenBy && { overriddenBy }) }],
    ...{ path: "/home/settings.json", version: "1", problems: [] },
  });
  window.controller.start();
  await settled();
  window.store.dispatch({ type: "screenShown", screen: "chat" });
  window.send("/theme\r");
  await settled();
  return window;
}

const used = ({ store }: TestWindow) => settingValue(settingsSlice.of(store.get()).settings, "theme");

function shown({ store }: TestWindow, columns: number): string {
  return screenOf({ store: createStore({ ...store.get(), size: { columns, rows: 30 } }) }).join("\n");
}

describe("/theme", () => {
  it("lists the themes with a sample, and tries each one that is marked; every arrow counts", async () => {
    const window = await opened();
    expect(previewedTheme(window.store.get())).toBe("nord");
    for (const columns of [120, 60]) {
      expect(shown(window, columns)).toContain("› nord ✓");
      expect(shown(window, columns)).toContain("Why the test failed");
    }
    expect(shown(window, 120)).toContain("Run a command");
    window.send(DOWN.repeat(4));
    expect(previewedTheme(window.store.get())).toBe("solarized-dark");
    expect(window.server.paramsOf("settings/set")).toEqual([]);
  });

  it("keeps the marked theme with Enter, and goes back to where one was", async () => {
    const window = await opened();
    window.send(`${DOWN}\r`);
    await settled();
    expect(window.server.paramsOf("settings/set")).toEqual([{ edits: [{ key: "theme", value: "dracula" }] }]);
    expect([used(window), window.store.get().overlay, window.store.get().screen]).toEqual([
      "dracula",
      undefined,
      "chat",
    ]);
  });

  it("restores the theme with Esc, and saves nothing", async () => {
    const window = await opened();
    window.send(DOWN);
    window.send(ESCAPE);
    await settled();
    expect(window.server.paramsOf("settings/set")).toEqual([]);
    expect([used(window), previewedTheme(window.store.get()), window.store.get().screen]).toEqual([
      "nord",
      undefined,
      "chat",
    ]);
  });

  it("says when something else takes precedence, and takes a theme back that cannot be saved", async () => {
    const overridden = await opened("HARNESS_THEME");
    overridden.send(`${DOWN}\r`);
    await settled();
    expect(overridden.store.get().notes.at(-1)?.text).toContain("HARNESS_THEME takes precedence");
    const failing = await opened();
    failing.server.answers["settings/set"] = () => {
      throw new Error("disk full");
    };
    failing.send(`${DOWN}\r`);
    await settled();
    expect(failing.store.get().notes.at(-1)?.text).toContain("could not be saved");
    expect(used(failing)).toBe("nord");
  });
});
