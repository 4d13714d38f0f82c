// Keys that go through Ink's stdin to ink-text-input, and the resulting text.
import { afterEach, describe, expect, it } from "vitest";
import { painterOf } from "../../test/painter.ts";
import { type InputEvent, InputParser, TextBuffer } from "../input/index.ts";
import { usualKeymap } from "../keymap/keymap.ts";
import { emptyHistory, historySlice } from "../screens/history/state.ts";
import { initialState } from "../state/app-state.ts";
import { createStore } from "../state/store.ts";
import { textOfRow } from "../text/style.ts";
import { LineFieldInput } from "./line-input.ts";

function eventsOf(bytes: string): InputEvent[] {
  const events: InputEvent[] = [];
  const timer = { set: () => 0, clear: () => undefined };
  new InputParser({ onEvent: (event) => events.push(event), timer }).push(Buffer.from(bytes));
  return events.map((event) => (event.type === "key" ? { ...event, keymap: usualKeymap } : event));
}

/** In a sequence of its own: a plain one would wait for more. */
const ESCAPE = "\u001b[27u";

class HeardInput extends LineFieldInput {
  heard = 0;

  override changed(text: string): void {
    this.heard += 1;
    super.changed(text);
  }
}

let close = (): void => undefined;
afterEach(() => close());

/** History while a title is typed: the field is the window's only one. */
function titleField(text: string, { keepsCursor = true, isVim = false } = {}) {
  const start = initialState({ cwd: "/work", version: "1", size: { columns: 60, rows: 20 } });
  const store = createStore({ ...start, screen: "history" });
  const show = (line: TextBuffer): void => historySlice.change(store, { ...emptyHistory, renaming: line });
  const lines = new HeardInput({ isVim: () => isVim });
  const painter = painterOf(store, { lines });
  close = () => painter.close();
  let line = TextBuffer.of(text);
  let left = 0;
  show(line);
  const draw = () => {
    const { rows, cursor } = painter.draw();
    const shown = rows.map(textOfRow).find((row) => row.includes("Title: "));
    return { shown: shown?.trim(), x: cursor?.x };
  };
  return {
    draw,
    text: () => line.text,
    /** How often Escape would have left the field. */
    left: () => left,
    /** How many keys have changed the text of ink-text-input. */
    heard: () => lines.heard,
    replace(next: string) {
      line = TextBuffer.of(next);
      show(line);
    },
    /** `isDrawn`: draws a frame after each key; otherwise they come faster. */
    press(bytes: string, { isDrawn = true } = {}) {
      for (const event of eventsOf(bytes)) {
        const plain = keepsCursor ? line : TextBuffer.of(line.text);
        if (lines.keepsOpen(plain, event)) continue;
        if (event.type === "key" && event.name === "escape") left += 1;
        else line = lines.edit(plain, event) ?? line;
        show(line);
        if (isDrawn) draw();
      }
    },
  };
}

describe("a field", () => {
  it("shows the text, with the terminal's own cursor behind it", () => {
    expect(titleField("a title").draw()).toEqual({ shown: "Title: a title", x: 15 });
  });

  it.each([
    ["", "a title", "a title", 15],
    ["one two", "\u0017", "one ", 12],
    ["one two", "\u001b[D\u001b[DX", "one tXwo", 14],
    ["one two", "\u0001X", "Xone two", 9],
    ["one two", "\u001bb\u001b[3~", "one wo", 12],
    ["one two", "\u0015", "", 8],
    ["one two", "\u0001\u000bnew", "new", 11],
    ["one", "\u001b[200~ two\nthree\u001b[201~", "one two three", 21],
    ["日本", "語\u007f\u007f", "日", 10],
    ["a😀", "\u007f", "a", 9],
    ["x", "  5Q", "x  5Q", 13],
    ["a😀bc", "\u001b[D", "a😀bc", 12],
    ["a😀bc", "\u001b[D\u001b[D\u001b[D", "a😀bc", 9],
    ["👩‍👩‍👧x", "\u001b[D\u001b[D", "👩‍👩‍👧x", 8],
    ["x👩‍👩‍👧", "\u007f", "x", 9],
    ["e\u0301x", "\u001b[D\u007f", "x", 8],
    ["", "\u001b[200~a\tb\u001b[Dc\u0000\u001b[201~", "a bc", 12],
  ])("of %j makes of %j %j", (text, bytes, expected, x) => {
    for (const isDrawn of [true, false]) {
      const field = titleField(text);
      field.draw();
      field.press(bytes, { isDrawn });
      expect([field.text(), field.draw()]).toEqual([expected, { shown: `Title: ${expected}`.trim(), x }]);
      close();
    }
  });

  it.each([
    ["text", "a", "b", 1],
    ["Backspace", "ab", "\u007f", 1],
    // The end is never reached in single steps, which would take seconds in a long line.
    ["Home", "a".repeat(2000), "\u0001", 0],
    ["a deleted line", "a".repeat(2000), "\u0015", 0],
    ["a pasted text", "", `\u001b[200~${"a".repeat(2000)}\u001b[201~`, 1],
  ])("leaves to ink-text-input what it can do by itself: %s", (_, text, bytes, changes) => {
    const field = titleField(text);
    field.draw();
    field.press(bytes);
    expect(field.heard()).toBe(changes);
  });

  it.each([
    ["the end", "", "Title: …8901234567890123456789012345678901234567890123456", 58],
    ["the beginning", "\u0001", "Title: 01234567890123456789012345678901234567890123456789…", 8],
    ["the middle", "\u001b[D".repeat(27), "Title: 01234567890123456789012345678901234567890123456789…", 38],
  ])("keeps one row for a long line, with the cursor in view: at %s", (_, bytes, shown, x) => {
    const field = titleField(`${"0123456789".repeat(5)}0123456`);
    field.draw();
    field.press(bytes);
    expect(field.draw()).toEqual({ shown, x });
  });

  it("keeps its cursor where the state has a text only", () => {
    const field = titleField("abc", { keepsCursor: false });
    field.draw();
    field.press("\u001b[DX");
    expect([field.text(), field.draw()]).toEqual(["abXc", { shown: "Title: abXc", x: 11 }]);
  });

  it("goes on where another text was put into it", () => {
    const field = titleField("a long title");
    field.draw();
    field.press("\u001b[D");
    field.replace("short");
    field.draw();
    field.press("er");
    expect([field.text(), field.draw()]).toEqual(["shorter", { shown: "Title: shorter", x: 15 }]);
  });

  it("shows what became of the text where that is not what was typed", () => {
    const field = titleField("abc");
    field.draw();
    field.press("d", { isDrawn: false });
    field.replace("abc");
    expect(field.draw().shown).toBe("Title: abc");
    field.press("e");
    expect([field.text(), field.draw()]).toEqual(["abce", { shown: "Title: abce", x: 12 }]);
  });

  it("loses no key that comes before it is in view", () => {
    const field = titleField("ab");
    field.press("cd");
    expect([field.text(), field.draw().shown]).toEqual(["abcd", "Title: abcd"]);
  });
});

describe("a field with vim's keys", () => {
  /** Keys in order; Escape comes alone, as from a keyboard. */
  function vimField(text: string, keys: readonly string[], { keepsCursor = true } = {}) {
    const field = titleField(text, { isVim: true, keepsCursor });
    field.draw();
    for (const each of keys) field.press(each);
    return field;
  }

  it.each([
    ["one two", [ESCAPE, "0x"], "ne two NORMAL", 8],
    ["one two three", [ESCAPE, "0wciw", "2"], "one 2 three", 13],
    ["one two three", [ESCAPE, "0wciw", "2", ESCAPE, "u"], "one two three NORMAL", 12],
    ["one two", [ESCAPE, "bD"], "one NORMAL", 11],
    ["one two", [ESCAPE, "bC", "three"], "one three", 17],
    ["one two", [ESCAPE, "0iX"], "Xone two", 9],
    ["one two", [ESCAPE, "0aX"], "oXne two", 10],
    ["one two", [ESCAPE, "hhl$"], "one two NORMAL", 14],
    ["one two", [ESCAPE, "0d"], "one two NORMAL d", 8],
    ["one two", [ESCAPE, "ddp"], "one two NORMAL", 14],
    ["one two", [ESCAPE, "oO"], "one two NORMAL", 14],
    ["日本語", [ESCAPE, "hx"], "日語 NORMAL", 10],
  ])("makes of %j with %j the row %j", (text, keys, row, x) => {
    for (const keepsCursor of [true, false]) {
      const { shown, x: at } = vimField(text, keys, { keepsCursor }).draw();
      expect([shown?.replace(/ +/g, " ").replace(/^Title: /, ""), at]).toEqual([row, x]);
      close();
    }
  });

  it.each([
    ["in insert mode keeps the field", "one", [ESCAPE], 0],
    ["in normal mode leaves it", "one", [ESCAPE, ESCAPE], 1],
    ["drops an incomplete command first", "one", [ESCAPE, "d", ESCAPE], 0],
    ["leaves an empty field at once", "", [ESCAPE], 1],
  ])("Escape %s", (_, text, keys, left) => {
    const field = vimField(text, keys);
    expect([field.text(), field.left()]).toEqual([text, left]);
  });

  it("begins in insert mode again where another text was put into it", () => {
    const field = vimField("one", [ESCAPE]);
    field.replace("two");
    field.draw();
    field.press("x");
    expect(field.draw()).toEqual({ shown: "Title: twox", x: 12 });
  });
});
