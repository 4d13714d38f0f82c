import { describe, expect, it } from "vitest";
import { settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";
import { textOfRow } from "../text/style.ts";
import { chordRows } from "../widgets/chord-rows.ts";

const CTRL_X = "\u0018";

async function opened(): Promise<TestWindow> {
  const window = testWindow();
  window.controller.start();
  await settled();
  return window;
}

function shownChord({ store }: TestWindow): string {
  const { chord } = store.get();
  return chord ? chordRows(chord, 200).map(textOfRow).join("\n") : "";
}

describe("a chord in the window", () => {
  it("says how it can go on, until its second key", async () => {
    const window = await opened();
    window.send(CTRL_X);
    expect(shownChord(window)).toContain(" Ctrl+X …  A agents");
    expect(shownChord(window)).toContain("L History · M model · N new");
    expect(shownChord(window)).toMatch(/Esc cancels$/);
    window.send("l");
    expect(shownChord(window)).toBe("");
    expect(window.store.get().screen).toBe("history");
  });

  it.each([200, 120, 80, 40])("is shown with every key and its words in %s columns", async (columns) => {
    const window = await opened();
    window.send(CTRL_X);
    const { chord } = window.store.get();
    const rows = chord ? chordRows(chord, columns).map(textOfRow) : [];
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    for (const { key, hint } of chord?.next ?? []) expect(rows.join("\n")).toContain(` ${key.toUpperCase()} ${hint}`);
    expect(rows.join("\n")).toContain("Esc cancels");
    expect(rows.length).toBeLessThanOrEqual(columns >= 80 ? 2 : 6);
  });

  it("is offered only as far as it works on the screen in view", async () => {
    const window = await opened();
    window.send("\u0013");
    window.send(CTRL_X);
    expect(shownChord(window)).toBe(" Ctrl+X …  H Home · L History · Esc cancels");
    window.send("h");
    expect(window.store.get().screen).toBe("home");
  });

  it.each([
    ["a model", "m", ({ store }: TestWindow) => expect(store.get().overlay?.kind).toBe("models")],
    ["a new session", "n", ({ store }: TestWindow) => expect(store.get().screen).toBe("chat")],
    ["the agents", "\u0001", ({ store }: TestWindow) => expect(store.get().notes[0]?.text).toMatch(/no agents yet/)],
  ])("asks for %s", async (_, second, holds) => {
    const window = await opened();
    if (second === "\u0001") window.send("/new\r");
    await settled();
    window.send(CTRL_X + second);
    await settled();
    holds(window);
  });

  it("leaves the input as it is, whatever its second key", async () => {
    const window = await opened();
    window.send(`dr${CTRL_X}qaft`);
    expect(window.store.get().composer.buffer.text).toBe("draft");
    expect(window.store.get().notes.map(({ text }) => text)).toEqual(["Ctrl+X Q does nothing here."]);
    window.send(`${CTRL_X}\u001b[A${CTRL_X}\r`);
    expect(window.store.get().composer.buffer.text).toBe("draft");
    expect(window.server.paramsOf("session/prompt")).toEqual([]);
  });

  it("is cancelled by Escape, which does nothing else", async () => {
    const window = await opened();
    window.send(`draft${CTRL_X}`);
    window.send("\u001b");
    expect(shownChord(window)).toBe("");
    expect(window.store.get().composer.buffer.text).toBe("draft");
    expect(window.store.get().notes).toEqual([]);
  });
});
