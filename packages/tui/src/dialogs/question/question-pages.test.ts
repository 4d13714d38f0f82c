import { describe, expect, it } from "vitest";
import { ask, chatWindow, question } from "../../../test/asked-window.ts";
import { settled } from "../../../test/scripted-server.ts";
import { questionDialog } from "../../state/dialogs.ts";

const [LEFT, SHIFT_TAB] = ["\u001b[D", "\u001b[Z"] as const;
const second = { ...question, freeText: true, part: { at: 2, of: 2 }, back: true as const };

async function pressed(what: typeof question, ...keys: string[]): Promise<unknown> {
  const window = await chatWindow();
  const answered = ask(window, what);
  window.clock.advance(1000);
  for (const key of keys) window.send(key);
  await settled();
  return answered.value;
}

describe("one of several questions", () => {
  it.each([LEFT, SHIFT_TAB])("%j goes back", async (key) => {
    expect(await pressed(second, key)).toEqual({ action: "back" });
  });

  it("the first, and one alone, have nothing before them", async () => {
    expect(await pressed({ ...second, back: undefined } as typeof question, LEFT, SHIFT_TAB)).toBeUndefined();
  });

  it("an arrow moves in a line with words, and Shift+Tab goes back all the same", async () => {
    expect(await pressed(second, "w", LEFT)).toBeUndefined();
    expect(await pressed(second, "w", SHIFT_TAB)).toEqual({ action: "back" });
  });

  it.each([
    [{ optionId: "b" }, {}, { marked: 1, typed: "", checked: undefined }],
    [{ optionId: "b" }, { multiple: true }, { marked: 1, typed: "", checked: [1] }],
    [{ text: "words" }, {}, { marked: undefined, typed: "words", checked: undefined }],
    [{ text: "The first; more" }, { multiple: true }, { marked: undefined, typed: "more", checked: [0] }],
  ])("keeps the answer that was given before: %j", (given, more, kept) => {
    const { marked, typed, checked } = questionDialog({ ...second, ...more, given });
    expect({ marked, typed: typed.text, checked }).toEqual(kept);
  });
});
