import { describe, expect, it } from "vitest";
import { ask, chatWindow, permission, question, review, selected } from "../../test/asked-window.ts";
import { ESCAPE, settled, type TestWindow } from "../../test/scripted-server.ts";

const SMALL = { columns: 23, rows: 24 };
const LOW = { columns: 80, rows: 4 };
const USUAL = { columns: 80, rows: 24 };
const [UP, DOWN, END, PAGE_DOWN, SHIFT_TAB] = ["\u001b[A", "\u001b[B", "\u001b[F", "\u001b[6~", "\u001b[Z"] as const;

const everyKey = [
  "y",
  "\r",
  "s",
  "\r",
  "1",
  "\r",
  "2",
  "\r",
  DOWN,
  UP,
  "\r",
  END,
  "y",
  "\r",
  PAGE_DOWN,
  PAGE_DOWN,
  "r",
];

function resize(window: TestWindow, size: { columns: number; rows: number }): void {
  window.controller.hide();
  window.store.set({ size });
}

describe.each([
  ["a permission", permission],
  ["a permission of high risk", { ...permission, risk: "high" as const }],
  ["a review", review],
  ["a question", { ...question, freeText: true }],
  ["a question without words", question],
])("%s", (_, what) => {
  it.each([SMALL, LOW, { columns: 1, rows: 1 }])("takes no key while nothing of it is drawn, in %j", async (size) => {
    for (const when of ["before", "after"] as const) {
      const window = await chatWindow();
      if (when === "before") resize(window, size);
      const dialog = ask(window, what);
      window.clock.advance(3000);
      if (when === "after") resize(window, size);
      for (const key of [...everyKey, SHIFT_TAB, ESCAPE, "\u001b[200~y\u001b[201~", "hello", "\r"]) {
        window.send(key);
        window.clock.advance(500);
      }
      await settled();
      expect(dialog.value).toBeUndefined();
      expect(window.store.get().dialogs[0]?.marked).toBeUndefined();
      expect(window.store.get().composer.buffer.isEmpty).toBe(true);
      expect(window.server.paramsOf("session/prompt")).toHaveLength(1);
      expect(window.server.paramsOf("session/set_config_option")).toEqual([]);
    }
  });

  it("takes no key while the terminal takes no frame, or does not answer", async () => {
    for (const part of ["reads", "answers"] as const) {
      const window = await chatWindow();
      window.terminal[part] = false;
      const dialog = ask(window, what);
      window.clock.advance(60_000);
      for (const key of everyKey) window.send(key);
      await settled();
      expect(dialog.value).toBeUndefined();
      expect(window.store.get().dialogs[0]).toMatchObject({ armed: false });
    }
  });

  it("can be answered some time after the terminal has shown it again", async () => {
    const window = await chatWindow();
    resize(window, SMALL);
    const dialog = ask(window, what);
    window.clock.advance(3000);
    resize(window, USUAL);
    window.clock.advance(199);
    for (const key of ["n", "\r"]) window.send(key);
    await settled();
    expect(dialog.value).toBeUndefined();
    window.clock.advance(1000);
    for (const key of ["kind" in what ? "n" : "2", ..."\r".repeat(4)]) window.send(key);
    await settled();
    if (what !== review) expect(dialog.value).toBeDefined();
    else expect(window.store.get().dialogs).toMatchObject([{ armed: true }]);
  });
});

describe("Enter", () => {
  it.each([["y"], ["s", ESCAPE], [DOWN], ["r", ESCAPE]])(
    "does not give what %j has marked before that is on the screen",
    async (key, back = DOWN) => {
      const window = await chatWindow();
      const dialog = ask(window, permission);
      window.clock.advance(1000);
      window.terminal.reads = false;
      for (const each of [key, "\r"]) window.send(each);
      await settled();
      expect(dialog.value).toBeUndefined();
      window.terminal.reads = true;
      for (const each of [back, UP, DOWN, UP, UP, UP, UP, "\r"]) window.send(each);
      await settled();
      expect(dialog.value).toEqual(selected("once"));
    },
  );

  it("does not give an answer of a question that is out of view, and shows it", async () => {
    const window = await chatWindow();
    const options = Array.from({ length: 40 }, (_, at) => ({ optionId: `o${at}`, name: `Answer ${at}` }));
    const dialog = ask(window, { ...question, options });
    window.clock.advance(1000);
    for (const key of ["\u001b[6~", "\u001b[6~", "\r"]) window.send(key);
    await settled();
    expect(dialog.value).toBeUndefined();
    expect(window.store.get().dialogs).toMatchObject([{ scroll: 2 }]);
    for (const key of ["3", "0"]) window.send(key);
    expect(window.store.get().dialogs[0]?.marked).toBe(29);
    expect(window.store.get().dialogs[0]?.scroll).toBeGreaterThan(15);
    window.send("\r");
    await settled();
    expect(dialog.value).toEqual({ action: "accept", optionId: "o29" });
  });
});

describe("a request that is longer than its dialog", () => {
  const command = Array.from({ length: 60 }, (_, at) => `echo ${at}`).join("\n");
  const preview = [{ type: "terminal" as const, command, output: "", exitCode: null, durationMs: 0 }];
  const long = { ...permission, preview };

  it.each(["reads", "answers"] as const)(
    "is not allowed by scrolling that the terminal does not show (%s)",
    async (part) => {
      const window = await chatWindow();
      const dialog = ask(window, long);
      window.clock.advance(1000);
      window.terminal[part] = false;
      window.send(END);
      window.clock.advance(1000);
      for (const key of ["y", "\r"]) window.send(key);
      await settled();
      expect(dialog.value).toBeUndefined();
    },
  );

  it("stays read when it was read to its end, also in a terminal of another size", async () => {
    const window = await chatWindow();
    const dialog = ask(window, long);
    window.clock.advance(1000);
    window.send(END);
    window.clock.advance(1000);
    resize(window, SMALL);
    resize(window, { columns: 60, rows: 12 });
    window.clock.advance(1000);
    for (const key of ["y", "\r"]) window.send(key);
    await settled();
    expect(dialog.value).toEqual(selected("once"));
  });
});

describe("a terminal that is slow to answer", () => {
  it("is asked again with a later frame", async () => {
    const window = await chatWindow();
    window.terminal.answers = false;
    const dialog = ask(window, permission);
    window.clock.advance(2000);
    window.terminal.answers = true;
    window.store.note("info", "Any frame will do.");
    window.clock.advance(1000);
    for (const key of ["y", "\r"]) window.send(key);
    await settled();
    expect(dialog.value).toEqual(selected("once"));
  });
});
