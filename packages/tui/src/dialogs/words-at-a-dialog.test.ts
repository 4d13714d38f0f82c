import { describe, expect, it } from "vitest";
import {
  type AnsweredRequest,
  ask,
  chatWindow,
  permission,
  question,
  review,
  selected,
} from "../../test/asked-window.ts";
import { ESCAPE, settled, type TestWindow } from "../../test/scripted-server.ts";
import { dialogPlaceIn } from "./dialog-layout-input.ts";
import { dialogRow } from "./index.ts";

/** Everything that invites words beside its answers. */
const places = { "a permission": permission, "a review": review, "a question without words": question };
const kinds = Object.entries(places);

async function asked(
  what: (typeof places)[keyof typeof places],
): Promise<{ window: TestWindow; dialog: AnsweredRequest }> {
  const window = await chatWindow();
  const dialog = ask(window, what);
  window.clock.advance(1000);
  return { window, dialog };
}

function dialogText({ store }: TestWindow): string {
  const state = store.get();
  const [dialog] = state.dialogs;
  const rows = dialog ? dialogRow(dialog).rows(dialog, dialogPlaceIn(state), undefined).rows : [];
  return rows.map(({ spans }) => spans.map(({ text: cells }) => cells).join("")).join("\n");
}

const draft = ({ store }: TestWindow): string => store.get().composer.buffer.text;
const prompts = ({ server }: TestWindow): unknown[] => server.paramsOf("session/prompt").map(({ prompt }) => prompt);
const text = (words: string): unknown => [{ type: "text", text: words }];

const messages = [
  "stop, not that",
  "should this be in src?",
  "rather use make",
  "yes but run the tests first",
  "remember the other folder",
  "yes",
  "write it down",
  "explain it",
  "all of them",
  "x is wrong",
  "add a test",
  "to be sure",
  "do not",
  "1. do this",
  "2 things first",
  "12 of them",
  "22",
  "7",
  "keep y",
  "Yes",
  "/undo",
  "!ls",
  "?",
  '"yes"',
  "(n)",
  "-y",
  "şimdi",
  "да",
  "はい",
  "y 👍",
];

describe.each(kinds)("%s", (_, what) => {
  it.each(messages)("leaves %j to the input, typed slowly or fast, and its Enter sends it", async (words) => {
    // In a review, words after a letter that rejects are the reason.
    for (const pauseMs of what === review && words.startsWith("w") ? [0, 900] : [0, 3000]) {
      const { window, dialog } = await asked(what);
      for (const key of words) {
        window.send(key);
        window.clock.advance(pauseMs);
      }
      await settled();
      expect(draft(window)).toBe(words);
      window.send("\r");
      await settled();
      expect(dialog.value).toBeUndefined();
      expect(window.store.get().dialogs).toMatchObject([{ armed: true }]);
      expect(window.store.get().dialogs[0]?.marked).toBeUndefined();
      if (!/^[/!]/.test(words)) expect(prompts(window).at(-1)).toEqual(text(words));
    }
  });

  it.each(messages)("is not answered by %j with an Enter in one read, pasted with marks or without", async (words) => {
    for (const bytes of [`${words}\r`, `\u001b[200~${words}\u001b[201~\r`, `\u001b[200~${words}\r\u001b[201~`]) {
      const { window, dialog } = await asked(what);
      window.send(bytes);
      window.clock.advance(1000);
      await settled();
      expect(dialog.value).toBeUndefined();
      expect(window.store.get().dialogs).toHaveLength(1);
    }
  });

  it.each(["y\r", "n\r", "1\r", "y\ryes\r", "y\r\r", "\u001b[200~x\u001b[201~y\r", "\u001b[121u\u001b[13u"])(
    "is not answered by %j in one read",
    async (bytes) => {
      const { window, dialog } = await asked(what);
      window.send(bytes);
      await settled();
      expect(dialog.value).toBeUndefined();
    },
  );

  it.each(["y", "1", "n", "\r", ESCAPE])("takes %j after the end of a paste for a part of the paste", async (key) => {
    const { window, dialog } = await asked(what);
    // Pasted text may contain the end mark of a paste, and keys after it.
    window.send(`\u001b[200~some text\u001b[201~${key}`);
    window.clock.advance(399);
    for (const each of ["y", "\r", "2", "\r"]) window.send(each);
    await settled();
    expect(dialog.value).toBeUndefined();
  });

  it("takes no Enter that follows a message for an answer, until a pause shows that it is one", async () => {
    const { window, dialog } = await asked(what);
    for (const key of "no more\r") window.send(key);
    for (const key of "\r\r") window.send(key);
    await settled();
    expect([dialog.value, prompts(window).length]).toEqual([undefined, 2]);
  });

  it("gives the keys to a draft until Escape, and the draft is still there after the answer", async () => {
    const { window, dialog } = await asked(what);
    for (const key of "stop") window.send(key);
    window.send(ESCAPE);
    window.clock.advance(1000);
    for (const key of what === question ? "2\r" : "n\r\r") window.send(key);
    if (what === review) for (const key of "n\r\r") window.send(key);
    await settled();
    expect(dialog.value).toBeDefined();
    expect(draft(window)).toBe("stop");
  });
});

describe("a letter at a permission", () => {
  it("is an answer when it is typed again, as no word begins with it twice", async () => {
    const { window, dialog } = await asked(permission);
    for (const key of "yy") window.send(key);
    await settled();
    expect(dialog.value).toEqual(selected("once"));
    const second = await asked(review);
    second.window.send("n");
    second.window.send("n");
    expect(second.window.store.get().dialogs[0]).toMatchObject({ review: { at: 1 } });
    const third = await asked(permission);
    for (const key of "ssh") third.window.send(key);
    expect(draft(third.window)).toBe("ssh");
  });

  it("is corrected by another one after a pause, and comes first in a message", async () => {
    const { window, dialog } = await asked(permission);
    window.send("y");
    window.clock.advance(1000);
    window.send("n");
    expect(dialogText(window)).toContain("› n");
    window.clock.advance(1000);
    window.send("y");
    window.send("\u007f");
    expect(draft(window)).toBe("");
    const other = await asked(permission);
    for (const key of "a s") {
      other.window.send(key);
      other.window.clock.advance(1000);
    }
    expect(draft(other.window)).toBe("a s");
    expect([dialog.value, other.dialog.value]).toEqual([undefined, undefined]);
  });

  it("denies without words if it is `n` twice, and allows all edits if it is `a` twice", async () => {
    const denied = await asked(permission);
    for (const key of "nn") denied.window.send(key);
    const edits = await asked(permission);
    for (const key of "aa") edits.window.send(key);
    await settled();
    expect(denied.dialog.value).toEqual({ outcome: "selected", optionId: "no" });
    expect(edits.window.server.paramsOf("session/set_config_option")).toMatchObject([
      { config: { permissionMode: "accept-edits" } },
    ]);
  });

  it("in a review begins the reason, if it is `w` or `n` and words follow after a pause", async () => {
    const { window } = await asked(review);
    window.send("w");
    window.clock.advance(1000);
    for (const key of "keep it\r") window.send(key);
    expect(window.store.get().dialogs[0]).toMatchObject({
      review: { answers: new Map([[expect.any(String), { take: false, feedback: "keep it" }]]) },
    });
    expect(draft(window)).toBe("");
  });

  it("says that Enter gives what it has marked", async () => {
    const { window } = await asked(permission);
    expect(dialogText(window)).not.toContain("gives it");
    window.send("y");
    expect(dialogText(window)).toContain("Enter gives it");
  });

  it("opens the field for words, if it is `n` and words follow after a pause", async () => {
    const { window, dialog } = await asked(permission);
    window.send("n");
    window.clock.advance(500);
    for (const key of "use a loop\r") window.send(key);
    await settled();
    expect(dialog.value).toMatchObject({ outcome: "selected", feedback: "use a loop" });
    const fast = await asked(permission);
    for (const key of "no\r") fast.window.send(key);
    await settled();
    expect([fast.dialog.value, prompts(fast.window).at(-1)]).toEqual([undefined, text("no")]);
  });

  it.each(["y", "s", "r", "x", "n", "a", "w", "1", "5"])("marks with %j, and answers nothing", async (key) => {
    const { window, dialog } = await asked(permission);
    window.send(key);
    window.clock.advance(60_000);
    await settled();
    expect(dialog.value).toBeUndefined();
    expect(draft(window)).toBe("");
    expect(window.store.get().dialogs).toMatchObject([{ begun: { text: key } }]);
  });

  it.each(["\u001b[13;2u", "\n"])("begins a message of two lines with %j", async (newline) => {
    const { window, dialog } = await asked(permission);
    for (const key of ["y", newline, "s", "\r"]) window.send(key);
    await settled();
    expect(dialog.value).toBeUndefined();
    expect(prompts(window).at(-1)).toEqual(text("y\ns"));
  });

  it("is answered with keys of kitty's protocol, one after another", async () => {
    const { window, dialog } = await asked(permission);
    for (const key of ["\u001b[115;1:1u", "\u001b[115;1:3u", "\u001b[13u"]) window.send(key);
    await settled();
    expect(dialog.value).toEqual(selected("session"));
  });

  it("scrolls between a character and the next one without forgetting it", async () => {
    const { window } = await asked(permission);
    for (const key of ["y", "\u001b[6~", "e", "s"]) window.send(key);
    expect(draft(window)).toBe("yes");
  });

  it("is not a command of vim's normal mode once it is a word", async () => {
    const window = await chatWindow({ settings: [{ key: "editor_mode", value: "vim" }] });
    window.send(ESCAPE);
    expect(window.store.get().composer.vim?.mode).toBe("normal");
    window.clock.advance(1000);
    ask(window, permission);
    window.clock.advance(1000);
    for (const key of "stop") window.send(key);
    expect(draft(window)).toBe("stop");
  });
});

describe("a letter in a review", () => {
  it("marks what Enter does with the change in view", async () => {
    const { window, dialog } = await asked(review);
    for (const key of "n\r") window.send(key);
    expect(window.store.get().dialogs).toMatchObject([{ review: { at: 1 } }]);
    window.clock.advance(1000);
    for (const key of "\r") window.send(key);
    await settled();
    expect(dialog.value).toBeUndefined();
    window.send("\r");
    await settled();
    expect(dialog.value).toEqual({
      outcome: "selected",
      optionId: "no",
      hunks: [
        { hunkId: "1", take: false },
        { hunkId: "2", take: true },
      ],
    });
  });

  it("takes all that is open, or none, only with Enter", async () => {
    for (const [key, optionId] of [
      ["a", "once"],
      ["x", "no"],
    ] as const) {
      const { window, dialog } = await asked(review);
      window.send(key);
      await settled();
      expect(dialog.value).toBeUndefined();
      window.send("\r");
      await settled();
      expect(dialog.value).toEqual(selected(optionId));
    }
  });

  it("takes nothing whose end was not shown", async () => {
    const after = Array.from({ length: 80 }, (_, at) => `line ${at}\n`).join("");
    const hunks = (review.review ?? []).map((hunk) => ({ ...hunk, after }));
    const { window } = await asked({ ...review, review: hunks });
    for (const key of "y\r") window.send(key);
    expect(window.store.get().dialogs).toMatchObject([{ tooEarly: true }]);
    window.send("\u001b[F");
    window.clock.advance(200);
    for (const key of "y\r") window.send(key);
    expect(window.store.get().dialogs).toMatchObject([{ review: { at: 1 } }]);
  });
});
