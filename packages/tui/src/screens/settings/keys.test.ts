import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { changeEdited, settingsSlice } from "./state.ts";

async function opened(prepare: (window: TestWindow) => void): Promise<TestWindow> {
  const window = testWindow();
  prepare(window);
  window.controller.start();
  await settled();
  return window;
}

describe("Settings", () => {
  const views = [
    { key: "model", doc: "Model id", type: "text", value: "", default: "", source: "default" },
    {
      key: "max_turns",
      doc: "Turns",
      type: "number",
      value: 100,
      default: 100,
      source: "default",
      overriddenBy: "HARNESS_MAX_TURNS",
    },
    {
      key: "effort",
      doc: "Effort",
      type: "choice",
      choices: ["", "low", "high"],
      value: "",
      default: "",
      source: "default",
    },
  ];
  const inSettings = async () => {
    const window = await opened(({ server }) => {
      server.answers["settings/get"] = () => ({
        settings: views,
        path: "/home/settings.json",
        version: "1",
        problems: [],
      });
    });
    window.send("/settings\r");
    await settled();
    return window;
  };

  it("cycles a choice and saves it at once", async () => {
    const window = await inSettings();
    window.send("\u001b[B\u001b[B\u001b[C");
    await settled();
    expect(window.server.paramsOf("settings/set")).toEqual([{ edits: [{ key: "effort", value: "low" }] }]);
    expect(settingsSlice.of(window.store.get()).settings.saved).toBe("effort is saved.");
  });

  it("reports what happened to an unreadable settings file", async () => {
    const window = await inSettings();
    const problems = ["What stood in it is kept in settings.json.broken-1."];
    window.server.answers["settings/set"] = () => ({ version: "2", settings: [], problems });
    window.send("\u001b[B\u001b[B\u001b[C");
    await settled();
    expect(settingsSlice.of(window.store.get()).settings.saved).toBe(`effort is saved. ${problems[0]}`);
  });

  it("shows the server's message at the row and keeps the text being typed", async () => {
    const window = await inSettings();
    window.server.answers["settings/set"] = () => {
      throw new Error("max_turns must be at least 1.");
    };
    window.send("\u001b[B\r");
    changeEdited(window.store, "0");
    window.send("\r");
    await settled();
    expect(settingsSlice.of(window.store.get()).settings).toMatchObject({
      editing: "0",
      error: { key: "max_turns", text: "max_turns must be at least 1." },
    });
    window.send(ESCAPE);
    expect(settingsSlice.of(window.store.get()).settings.editing).toBeUndefined();
    expect(window.store.get().screen).toBe("settings");
  });

  it("resets with Backspace and says what takes precedence", async () => {
    const window = await inSettings();
    window.send("\u001b[B\u007f");
    await settled();
    expect(window.server.paramsOf("settings/set")).toEqual([{ edits: [{ key: "max_turns", value: null }] }]);
    expect(settingsSlice.of(window.store.get()).settings.saved).toContain("HARNESS_MAX_TURNS takes precedence");
  });
});
