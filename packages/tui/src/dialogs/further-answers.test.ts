import { describe, expect, it } from "vitest";
import { ask, chatWindow, permission } from "../../test/asked-window.ts";
import { ESCAPE, settled } from "../../test/scripted-server.ts";
import { emptied } from "../state/composer.ts";

const front = (window: Awaited<ReturnType<typeof chatWindow>>) => window.store.get().dialogs[0];

async function asked(changes: Partial<typeof permission> = {}, columns = 80) {
  const window = await chatWindow();
  window.store.set({ size: { columns, rows: 30 } });
  const dialog = ask(window, { ...permission, ...changes });
  window.clock.advance(1000);
  const press = async (...keys: string[]) => {
    for (const key of keys) window.send(key);
    await settled();
  };
  return { window, dialog, press };
}

describe("the answers that hold for later calls", () => {
  it("are shown with what they cover, and leave again without an answer", async () => {
    const { window, dialog, press } = await asked();
    await press("m");
    expect(front(window)).toMatchObject({ isMore: true });
    await press(ESCAPE);
    expect(front(window)).toMatchObject({ isMore: false });
    await press("s", "\u007f");
    expect(front(window)).toMatchObject({ isMore: false });
    expect(dialog.value).toBeUndefined();
  });

  it("are in full view before Enter gives one", async () => {
    const name = "Yes, and don't ask again for `npm run build …`, `make test …` and `touch …`";
    const options = permission.options
      .filter(({ kind }) => kind !== "allow_turn")
      .map((each) => (each.kind === "allow_always" ? { ...each, name } : each));
    const { window, dialog, press } = await asked({ options }, 60);
    await press("r");
    expect(front(window)).toMatchObject({ marked: 1 });
    await press("\r");
    expect([dialog.value, front(window)]).toMatchObject([undefined, { isMore: true, marked: 1 }]);
    await press("\r");
    expect(dialog.value).toEqual({ outcome: "selected", optionId: "always" });
  });

  it("have a no, which takes words and leads back", async () => {
    const { window, dialog, press } = await asked();
    await press("m");
    window.clock.advance(1000);
    await press("n");
    expect(front(window)).toMatchObject({ isMore: true, marked: 5 });
    window.clock.advance(500);
    await press(..."use make\r");
    expect(dialog.value).toMatchObject({ outcome: "selected", feedback: "use make" });
    const twice = await asked();
    await twice.press("m");
    twice.window.clock.advance(1000);
    await twice.press("n", "n");
    expect(twice.dialog.value).toEqual({ outcome: "selected", optionId: "no" });
  });

  it("keep the letter that has opened them for a message typed slowly", async () => {
    const { window, dialog, press } = await asked();
    await press("m");
    window.clock.advance(1000);
    await press("y");
    expect(front(window)).toMatchObject({ begun: { text: "y" } });
    window.clock.advance(500);
    await press(..." idea");
    expect(window.store.get().composer.buffer.text).toBe("my idea");
    expect([dialog.value, front(window)]).toMatchObject([undefined, { isMore: false }]);
  });

  it("leave a plain no where it is, however narrow the window", async () => {
    const { dialog, press } = await asked({}, 30);
    await press("n", "\r", "\r");
    expect(dialog.value).toEqual({ outcome: "selected", optionId: "no" });
  });

  it("give way to a message that begins with their letter", async () => {
    const { window, dialog, press } = await asked();
    await press(..."make it shorter");
    expect(window.store.get().composer.buffer.text).toBe("make it shorter");
    expect([dialog.value, front(window)]).toMatchObject([undefined, { isMore: false }]);
  });
});

describe("a draft that a permission finds", () => {
  it.each([
    ["y", ""],
    ["yy", ""],
    ["yes", "yes"],
    ["q", "q"],
    ["yn", "yn"],
  ])("of %j leaves %j in the input", async (draft, kept) => {
    const window = await chatWindow();
    for (const key of draft) window.send(key);
    const dialog = ask(window, permission);
    await settled();
    expect([front(window)?.early, window.store.get().composer.buffer.text]).toEqual([
      kept === "" ? draft : undefined,
      kept,
    ]);
    expect(dialog.value).toBeUndefined();
    window.store.set({ composer: emptied(window.store.get().composer) });
  });
});
