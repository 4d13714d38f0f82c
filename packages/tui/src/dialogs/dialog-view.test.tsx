// The fields of dialogs, in a real tree: Ink draws them within the painted frame.
import { describe, expect, it } from "vitest";
import { permission, question, review } from "../../test/asked-window.ts";
import { painterOf } from "../../test/painter.ts";
import { type KeyEvent, TextBuffer } from "../input/index.ts";
import { usualKeymap } from "../keymap/keymap.ts";
import { initialState } from "../state/app-state.ts";
import { type Dialog, permissionDialog, questionDialog } from "../state/dialogs.ts";
import { createStore } from "../state/store.ts";
import { textOfRow } from "../text/style.ts";
import { LineFieldInput } from "../widgets/line-input.ts";

const fields: [string, string, (text: TextBuffer) => Dialog][] = [
  [
    "of a denial",
    "No. Do this instead: ",
    (feedback) => ({ ...permissionDialog("s", permission), armed: true, feedback }),
  ],
  ["of a review", "Why not: ", (feedback) => ({ ...permissionDialog("s", review), armed: true, feedback })],
  ["of a question", "> ", (typed) => ({ ...questionDialog({ ...question, freeText: true }), armed: true, typed })],
];

const key = (name: string, text = ""): KeyEvent => ({
  type: "key",
  ...{ name, text, ctrl: false, alt: false, shift: false, meta: false },
  keymap: usualKeymap,
});

function shownField(make: (text: TextBuffer) => Dialog, text: string, size = { columns: 80, rows: 30 }) {
  const start = initialState({ cwd: "/work", version: "1", size });
  const store = createStore({ ...start, screen: "chat", dialogs: [make(TextBuffer.of(text))] });
  const lines = new LineFieldInput();
  const painter = painterOf(store, { lines });
  let line = TextBuffer.of(text);
  const draw = () => {
    const { rows, cursor } = painter.draw();
    return { row: textOfRow(rows[cursor?.y ?? 0] ?? { spans: [] }), x: cursor?.x };
  };
  draw();
  return {
    draw,
    press(event: KeyEvent): void {
      line = lines.edit(line, event) ?? line;
      store.dispatch({ type: "dialogChanged", dialog: make(line) });
    },
    close: () => painter.close(),
  };
}

describe.each(fields)("the field %s", (_, label, make) => {
  it("has the cursor where the next character goes, and its keys", () => {
    const field = shownField(make, "not now");
    const end = `│ ${label}not now`.length;
    expect(field.draw()).toMatchObject({ row: expect.stringContaining(`│ ${label}not now`), x: end });
    field.press(key("left"));
    field.press(key("left"));
    expect(field.draw()).toMatchObject({ row: expect.stringContaining(`│ ${label}not now `), x: end - 2 });
    field.press(key("x", "x"));
    expect(field.draw()).toMatchObject({ row: expect.stringContaining(`│ ${label}not nxow `), x: end - 1 });
    field.close();
  });

  it.each([
    [80, 30],
    [44, 20],
    [80, 14],
  ])("stays within the frame of %i × %i cells, however long its text is", (columns, rows) => {
    const field = shownField(make, `${"word ".repeat(40)}end`, { columns, rows });
    const { row, x = 0 } = field.draw();
    expect(row).toMatch(/^│ .*end {1,2}│$/);
    expect([row.length, row.slice(0, x).endsWith("end")]).toEqual([columns, true]);
    field.close();
  });
});

it("a dialog of another session names it by its title, if the window knows it", () => {
  const start = initialState({ cwd: "/work", version: "1", size: { columns: 80, rows: 30 } });
  const dialogs = [permissionDialog("s", permission), permissionDialog("t", permission)];
  const leftTitles = new Map([["s", "Fix the\u001b[2J parser"]]);
  const painter = painterOf(createStore({ ...start, screen: "chat", leftTitles, dialogs }), {
    lines: new LineFieldInput(),
  });
  const text = painter.draw().rows.map(textOfRow).join("\n");
  painter.close();
  expect(text).toContain("From the session “Fix the parser”, which runs in the background.");
  expect(text).toContain("then session t: ");
});
