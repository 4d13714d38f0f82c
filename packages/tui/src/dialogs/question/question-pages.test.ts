import { describe, expect, it } from "vitest";
import { ask, chatWindow, question } from "../../../test/asked-window.ts";
import { settled } from "../../../test/scripted-server.ts";
import { questionDialog } from "../../state/dialogs.ts";

const [LEFT, DOWN, SHIFT_TAB] = ["\u001b[D", "\u001b[B", "\u001b[Z"] as const;
const second = { ...question, freeText: true, part: { at: 2, of: 2 }, back: true as const };
const several = { ...second, multiple: true };

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
    expect(await pressed(second, "w", SHIFT_TAB)).toEqual({ action: "back", draft: "w" });
  });

  it.each([
    ["the selected answers", several, [" ", DOWN, " ", LEFT], { draft: "The first; The second" }],
    ["that none is selected any more", { ...several, given: { optionId: "a" } }, [" ", LEFT], { draft: "" }],
    ["no mark", second, [DOWN, LEFT], {}],
    ["no number, which is a mark", second, ["2", LEFT], {}],
    ["that the words were deleted", { ...second, given: { text: "w" } }, ["\u007f", LEFT], { draft: "" }],
  ])("going back keeps %s", async (_, what, keys, draft) => {
    expect(await pressed(what, ...keys)).toEqual({ action: "back", ...draft });
  });

  it("without a selected answer is sent only by a second Enter, which says so", async () => {
    expect(await pressed(several, DOWN, "\r")).toBeUndefined();
    expect(await pressed(several, "\r", DOWN, "\r")).toBeUndefined();
    expect(await pressed(several, DOWN, "\r", "\r")).toEqual({ action: "accept", text: "none of these" });
    expect(await pressed(several, "\r", " ", "\r")).toEqual({ action: "accept", text: "The first" });
  });

  it.each([
    [{ optionId: "b" }, {}, { marked: 1, typed: "", checked: undefined }],
    [{ optionId: "b" }, { multiple: true }, { marked: 1, typed: "", checked: [1] }],
    [{ text: "words" }, {}, { marked: undefined, typed: "words", checked: undefined }],
    [{ text: "The first; more" }, { multiple: true }, { marked: undefined, typed: "more", checked: [0] }],
    [{ text: "none of these" }, { multiple: true }, { marked: undefined, typed: "", checked: undefined }],
  ])("keeps the answer that was given before: %j", (given, more, kept) => {
    const { marked, typed, checked } = questionDialog({ ...second, ...more, given });
    expect({ marked, typed: typed.text, checked }).toEqual(kept);
  });
});
