import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";
import { InputParser, type KeyEvent, TextBuffer } from "../input/index.ts";
import { type ComposerState, emptyComposer, messageOf, pasteText, withBuffer } from "../state/composer.ts";
import { vimStart } from "../state/vim-state.ts";
import { vimEscape, vimKey } from "./vim-key.ts";

/** `text` with a `|` before the character that the cursor is on. */
function at(text: string): ComposerState {
  const [before = "", after = ""] = text.split("|");
  const buffer = TextBuffer.of(before + after).cursorTo(before.length);
  return { ...emptyComposer, buffer, vim: { ...vimStart, mode: "normal" } };
}

function shown({ buffer }: ComposerState): string {
  return `${buffer.text.slice(0, buffer.offset)}|${buffer.text.slice(buffer.offset)}`;
}

/** Types keys as a terminal sends them; anything but a key of normal mode goes into the text. */
function typed(start: ComposerState, keys: string): ComposerState {
  let composer = start;
  const take = (event: KeyEvent): void => {
    if (event.name === "escape") composer = vimEscape(composer) ?? composer;
    else composer = vimKey(composer, event) ?? withBuffer(composer, composer.buffer.insert(event.text));
  };
  const parser = new InputParser({
    onEvent: (event) => event.type === "key" && take(event),
    timer: { set: (_ms, expired) => expired(), clear: () => undefined },
  });
  for (const key of keys) parser.push(key);
  return composer;
}

describe("vim's normal mode", () => {
  it.each([
    // Motions
    ["one |two", "h", "one| two"],
    ["|one", "h", "|one"],
    ["a\n|b", "h", "a\n|b"],
    ["on|e", "l", "on|e"],
    ["|one", "2l", "on|e"],
    ["|one two three", "w", "one |two three"],
    ["|one two three", "2w", "one two |three"],
    ["|foo.bar baz", "w", "foo|.bar baz"],
    ["|foo.bar baz", "W", "foo.bar |baz"],
    ["one two|", "b", "one |two"],
    ["foo.bar baz|", "B", "foo.bar |baz"],
    ["|one two", "e", "on|e two"],
    ["on|e two", "e", "one tw|o"],
    ["  one tw|o", "0", "|  one two"],
    ["  one tw|o", "^", "  |one two"],
    ["|one\ntwo", "$", "on|e\ntwo"],
    ["one\ntwo\n  thr|ee", "gg", "|one\ntwo\n  three"],
    ["|one\ntwo\n  three", "G", "one\ntwo\n  |three"],
    ["|one\ntwo\nthree", "2G", "one\n|two\nthree"],
    ["on|e\ntwo\nthree", "j", "one\ntw|o\nthree"],
    ["one\ntwo\nthre|e", "2k", "on|e\ntwo\nthree"],
    ["|one, two", "f,", "one|, two"],
    ["|one, two", "t,", "on|e, two"],
    ["one, two|", "F,", "one|, two"],
    ["one, two|", "T,", "one,| two"],
    ["|a.b.c", "f.;", "a.b|.c"],
    ["|a.b.c", "f.;,", "a|.b.c"],
    ["|abc", "fz", "|abc"],
    // Changes
    ["|one two", "x", "|ne two"],
    ["|one two", "3x", "| two"],
    ["one|two", "X", "on|two"],
    ["|one two", "dw", "|two"],
    ["|one two three", "d2w", "|three"],
    ["|one two three", "2dw", "|three"],
    ["one |two", "dw", "one| "],
    ["one |two\nthree", "dw", "one| \nthree"],
    ["|one two", "de", "| two"],
    ["one two|", "db", "one| "],
    ["one |two three", "D", "one| "],
    ["one |two", "d0", "|two"],
    ["|a, b", "df,", "| b"],
    ["|a, b", "dt,", "|, b"],
    ["one\nt|wo\nthree", "dd", "one\n|three"],
    ["one\nt|wo", "dd", "|one"],
    ["on|e", "dd", "|"],
    ["o|ne\ntwo\nthree", "2dd", "|three"],
    ["o|ne\ntwo\nthree", "dj", "|three"],
    ["one\ntw|o\nthree", "dgg", "|three"],
    ["one\ntw|o\nthree", "dG", "|one"],
    ["one t|wo three", "diw", "one | three"],
    ["one t|wo three", "daw", "one |three"],
    ['say "he|llo" now', 'di"', 'say "|" now'],
    ['|say "hello" now', 'da"', "say | now"],
    ["f(a, |b(c), d)", "di(", "f(|)"],
    ["f(a, |b(c), d)", "dab", "|f"],
    ["|one", "~", "O|ne"],
    ["|one", "3~", "ON|E"],
    ["|one", "rx", "|xne"],
    ["|one", "2rx", "x|xe"],
    ["o|ne\n  two", "J", "one| two"],
    // Copies
    ["|one two", "yw$p", "one twoone| "],
    ["|one\ntwo", "yyp", "one\n|one\ntwo"],
    ["one\n|two", "yyP", "one\n|two\ntwo"],
    ["|one\ntwo", "ddp", "two\n|one"],
    ["|abc", "xp", "b|ac"],
    ["|abc", "x2p", "ba|ac"],
    ["|one two", "yiwwP", "one on|etwo"],
    // Selecting
    ["|one two three", "vwd", "|wo three"],
    ["one| two", "vbd", "|two"],
    ["|one two", "vey$p", "one twoon|e"],
    ["|one two", "vecx\u001b", "|x two"],
    ["|one two", "vlsx\u001b", "|xe two"],
    ["one tw|o", "viwx", "one| "],
    ['say "he|llo" now', 'va"x', "say | now"],
    ["o|ne\ntwo\nthree", "vjd", "o|o\nthree"],
    ["o|ne\ntwo\nthree", "Vjd", "|three"],
    ["o|ne\ntwo\nthree", "Vyjp", "one\ntwo\n|one\nthree"],
    ["one\nt|wo\nthree", "Vcx\u001b", "one\n|x\nthree"],
    ["one t|wo three", "vlohd", "one | three"],
    ["|one two", "vV\u001bx", "|ne two"],
    ["|one\ntwo", "vVd", "|two"],
    ["|one", "vvx", "|ne"],
    ["|one", "vkd", "|ne"],
    ["|one two", "vfod", "|"],
    ["|", "vd", "|"],
    ["|one 日本 two", "wvld", "one | two"],
    // Again
    ["|one two three", "dw.", "|three"],
    ["|abcdef", "x..", "|def"],
    ["|abcdef", "2x.", "|ef"],
    ["|abcdef", "x3.", "|ef"],
    ["|one two", "cwx\u001bw.", "x |x"],
    ["|one", "Ax\u001b.", "onex|x"],
    ["|one\ntwo", "ox\u001b.", "one\nx\n|x\ntwo"],
    ["|one\ntwo\nthree", "dd.", "|three"],
    ["|abcdef", "rxl.", "x|xcdef"],
    ["|abcdef", "vld.", "|ef"],
    ["|one\ntwo\nthree\nfour\nfive", "Vjd.", "|five"],
    ["|abcdef", "vlcx\u001bl.", "x|xef"],
    ["|one two", "yw.", "|one two"],
    ["|abc", ".", "|abc"],
    ["|abcd", "xu.", "|bcd"],
    // Undo
    ["|one two", "dwu", "|one two"],
    ["|one two", "dwu\u0012", "|two"],
    // Inserting
    ["o|ne", "ix\u001b", "o|xne"],
    ["o|ne", "ax\u001b", "on|xe"],
    ["  on|e", "Ix\u001b", "  |xone"],
    ["|one", "Ax\u001b", "one|x"],
    ["|one\ntwo", "ox\u001b", "one\n|x\ntwo"],
    ["one\n|two", "Ox\u001b", "one\n|x\ntwo"],
    ["|one two", "cwx\u001b", "|x two"],
    ["one |two", "Cx\u001b", "one |x"],
    ["one\ntw|o\nthree", "ccx\u001b", "one\n|x\nthree"],
    ["one tw|o", "ciwx\u001b", "one |x"],
    ["|one", "sx\u001b", "|xne"],
    // An unknown command does nothing
    ["|one", "zq", "|one"],
    ["|one", "d\u001bx", "|ne"],
    ["|one", "dq", "|one"],
    ["|", "xwbe$~rxJp", "|"],
    // Wide and joined characters are one character each
    ["|日本語", "x", "|本語"],
    ["|👩‍💻 x", "l", "👩‍💻| x"],
    ["e\u0301|a", "h", "|e\u0301a"],
    ["|one 日本 two", "wdw", "one |two"],
  ])("%j and %j is %j", (start, keys, end) => {
    expect(shown(typed(at(start), keys))).toBe(end);
  });

  it("takes a long paste as one: half a chip would stand for nothing", () => {
    const long = "line\n".repeat(30);
    const paste = pasteText(withBuffer(emptyComposer, emptyComposer.buffer.insert("see ")), long);
    const normal = vimEscape(paste) ?? paste;
    expect(messageOf(typed(normal, "x"))).toBe("see ");
    expect(messageOf(typed(normal, "xu"))).toBe(`see ${long}`);
  });
});

describe("vim mode in the window", () => {
  const text = ({ store }: TestWindow) => store.get().composer.buffer.text;

  async function opened(): Promise<TestWindow> {
    const window = testWindow();
    window.server.answers["settings/get"] = () => ({
      settings: [{ key: "editor_mode", value: "vim" }],
      path: "",
      version: "1",
      problems: [],
    });
    window.controller.start();
    await settled();
    return window;
  }

  it("begins by inserting; Escape leads to normal mode, and another one keeps the text", async () => {
    const window = await opened();
    window.send("hello world");
    window.send(ESCAPE);
    window.send("bdw");
    expect(text(window)).toBe("hello ");
    window.send(ESCAPE);
    window.send(ESCAPE);
    expect(text(window)).toBe("hello ");
    window.send("\u0003");
    expect(text(window)).toBe("");
    window.send("u");
    expect(text(window)).toBe("hello ");
  });

  it("reads commands by the place of their keys, and characters as they are", () => {
    expect(shown(typed(at("one |two"), "вц"))).toBe("one| ");
    expect(shown(typed(at("|one два"), "fд"))).toBe("one |два");
  });

  it("takes a change back as one command", () => {
    const changed = typed(at("one |two three"), "ciwab cd\u001b");
    expect(shown(changed)).toBe("one ab c|d three");
    expect(shown(typed(changed, "u"))).toBe("one |two three");
    expect(shown(typed(typed(at("|a"), "Ab c d\u001b"), "u"))).toBe("|a");
    expect(shown(typed(typed(at("|one two"), "cwx y\u001bw."), "u"))).toBe("x y |two");
    expect(shown(typed(typed(at("|one"), "i\u001b"), "u"))).toBe("|one");
  });

  it("sends with Enter from both modes, and begins to insert again", async () => {
    const window = await opened();
    window.send("one");
    window.send(ESCAPE);
    window.send("\r");
    await settled();
    window.send("two\r");
    await settled();
    expect(window.server.paramsOf("session/prompt").map(({ prompt }) => prompt)).toMatchObject([
      [{ text: "one" }],
      [{ text: "two" }],
    ]);
  });

  it("has earlier messages above the first line", async () => {
    const window = await opened();
    window.send("one\r");
    await settled();
    window.send(ESCAPE);
    window.send("k");
    expect(text(window)).toBe("one");
    window.send("j");
    expect(text(window)).toBe("");
  });

  it("stops a running turn with the Escape of normal mode", async () => {
    const window = await opened();
    window.send("one\r");
    await settled();
    window.server.update("s1", 1, { sessionUpdate: "state_update", state: "running" });
    window.send(ESCAPE);
    await settled();
    expect(window.server.paramsOf("session/cancel")).toEqual([]);
    window.send(ESCAPE);
    await settled();
    expect(window.server.paramsOf("session/cancel").length).toBe(1);
  });

  it("is off by default: Escape and letters mean what they always do", async () => {
    const window = testWindow();
    window.controller.start();
    await settled();
    window.send("dd");
    window.send(ESCAPE);
    window.send("x");
    expect(text(window)).toBe("x");
  });
});
