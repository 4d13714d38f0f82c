import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { settingsSlice } from "./state.ts";

async function opened(prepare: (window: TestWindow) => void): Promise<TestWindow> {
  const window = testWindow();
  prepare(window);
  window.controller.start();
  await settled();
  return window;
}

describe("Settings", () => {
  const views = [
    {
      key: "model",
      title: "Model",
      group: "Model",
      takesEffect: "next request",
      doc: "Model id",
      type: "text",
      value: "",
      default: "",
      source: "default",
    },
    {
      key: "max_turns",
      title: "Requests per message",
      group: "Limits",
      takesEffect: "next request",
      doc: "Turns",
      type: "number",
      value: 100,
      default: 100,
      source: "default",
      overriddenBy: "HARNESS_MAX_TURNS",
    },
    {
      key: "effort",
      title: "Thinking effort",
      group: "Model",
      takesEffect: "next request",
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
    window.send("\u001b[B\u001b[C");
    await settled();
    expect(window.server.paramsOf("settings/set")).toEqual([{ edits: [{ key: "effort", value: "low" }] }]);
    expect(settingsSlice.of(window.store.get()).settings.saved).toBe(
      "Thinking effort is saved; it takes effect with the next request.",
    );
  });

  it("reports what happened to an unreadable settings file", async () => {
    const window = await inSettings();
    const problems = ["What stood in it is kept in settings.json.broken-1."];
    window.server.answers["settings/set"] = () => ({ version: "2", settings: [], problems });
    window.send("\u001b[B\u001b[C");
    await settled();
    expect(settingsSlice.of(window.store.get()).settings.saved).toContain(problems[0]);
  });

  it("shows the server's message at the row and keeps the text being typed", async () => {
    const window = await inSettings();
    window.server.answers["settings/set"] = () => {
      throw new Error("max_turns must be at least 1.");
    };
    window.send("\u001b[B\u001b[B\r");
    window.send("\u00150\r");
    await settled();
    expect(settingsSlice.of(window.store.get()).settings).toMatchObject({
      editing: expect.objectContaining({ text: "0" }),
      error: { key: "max_turns", text: "max_turns must be at least 1." },
    });
    window.send(ESCAPE);
    expect(settingsSlice.of(window.store.get()).settings.editing).toBeUndefined();
    expect(window.store.get().screen).toBe("settings");
  });

  it("resets with Delete and says what takes precedence", async () => {
    const window = await inSettings();
    window.send("\u001b[B\u001b[B\u001b[3~");
    await settled();
    expect(window.server.paramsOf("settings/set")).toEqual([{ edits: [{ key: "max_turns", value: null }] }]);
    expect(settingsSlice.of(window.store.get()).settings.saved).toContain("HARNESS_MAX_TURNS takes precedence");
  });

  it("filters by what is typed, and clears the filter before it closes", async () => {
    const window = await inSettings();
    const state = () => settingsSlice.of(window.store.get()).settings;
    window.send("think eff");
    expect(state()).toMatchObject({ filter: "think eff", selected: 0 });
    window.send("\u001b[C");
    await settled();
    expect(window.server.paramsOf("settings/set")).toEqual([{ edits: [{ key: "effort", value: "low" }] }]);
    window.send("x\r");
    await settled();
    expect(window.server.paramsOf("settings/set").length).toBe(1);
    window.send("\u007f");
    expect(state().filter).toBe("think eff");
    window.send("\u0017");
    expect(state().filter).toBe("think ");
    window.send(ESCAPE);
    expect(state()).toMatchObject({ filter: "", selected: 1 });
    expect(window.store.get().screen).toBe("settings");
    window.send(ESCAPE);
    expect(window.store.get().screen).not.toBe("settings");
  });

  it("types a value with the keys of the input, and takes a paste", async () => {
    const window = await inSettings();
    for (const typed of ["\r", "qwen3 coder", "\u0017"]) window.send(typed);
    window.event({ type: "paste", text: "coder\n30b", cut: false });
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("settings/set")).toEqual([{ edits: [{ key: "model", value: "qwen3 coder 30b" }] }]);
  });

  it("lets nobody type over a secret that it does not show", async () => {
    const window = await inSettings();
    window.server.answers["settings/get"] = () => ({
      settings: [{ ...views[0], value: "http://me:hunter2@host", source: "user" }],
      path: "/home/settings.json",
      version: "1",
      problems: [],
    });
    window.send(ESCAPE);
    window.send("/settings\r");
    await settled();
    window.send("\r");
    const { editing, error } = settingsSlice.of(window.store.get()).settings;
    expect(editing).toBeUndefined();
    expect(error?.text).toBe("It contains a secret, which is not shown. Change it in /home/settings.json.");
  });

  it("counts every quick arrow, and saves the value at which they stop", async () => {
    const window = await inSettings();
    const saved: unknown[] = [];
    let release = (): void => undefined;
    window.server.answers["settings/set"] = async ({ edits }) => {
      saved.push((edits as { value: unknown }[])[0]?.value);
      await new Promise<void>((done) => {
        release = done;
      });
      return { version: "2" };
    };
    // To Thinking effort, then three times to the next choice.
    window.send("effort");
    const right = "\u001b[C";
    window.send(right);
    window.send(right);
    window.send(right);
    window.send(right);
    const value = () => settingsSlice.of(window.store.get()).settings.views?.find(({ key }) => key === "effort")?.value;
    expect(value()).toBe("low");
    await settled();
    release();
    await settled();
    release();
    await settled();
    expect(saved).toEqual(["low", "low"]);
    expect(settingsSlice.of(window.store.get()).settings.saving).toBe(false);
  });
});
