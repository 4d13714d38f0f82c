import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";
import { usualKeymap } from "../keymap/keymap.ts";
import { chromeView } from "../state/chrome-view.ts";
import { textOfRow } from "../text/style.ts";
import { aboveInput } from "./above-input.ts";
import { promptSearchRows } from "./prompt-search-rows.ts";

const [UP, CTRL_R, CTRL_N, ENTER] = ["\u001b[A", "\u0012", "\u000e", "\r"];
const at = "2026-11-21T14:30:22.000Z";
const here = (text: string) => ({ at, cwd: "/work", text });
const there = (text: string) => ({ at, cwd: "/other/place", text });
const text = ({ store }: TestWindow): string => store.get().composer.buffer.text;
const found = ({ store }: TestWindow) => store.get().composer.search?.found.map((each) => each.text);

/** A window whose server has stored these prompts, oldest first. */
async function opened(...kept: ReturnType<typeof here>[]): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["prompts/list"] = ({ cwd }) => ({
    prompts: kept.filter((each) => cwd === undefined || each.cwd === cwd),
    problems: [],
  });
  window.controller.start();
  await settled();
  return window;
}

describe("what was typed in earlier windows", () => {
  it("comes back with Ctrl+P, this folder's alone, before what is sent here", async () => {
    const window = await opened(here("first"), there("elsewhere"), here("second"));
    window.send("third\r");
    await settled();
    window.send("\u0010\u0010\u0010\u0010");
    expect(text(window)).toBe("first");
    window.send(CTRL_N);
    expect(text(window)).toBe("second");
  });

  it("comes back also when Ctrl+P was pressed before it was there", async () => {
    const window = testWindow();
    let answer = (_: unknown): void => undefined;
    window.server.answers["prompts/list"] = () => new Promise((resolve) => (answer = resolve));
    window.controller.start();
    await settled();
    window.send("\u0010");
    expect(text(window)).toBe("");
    answer({ prompts: [here("first"), here("second")], problems: [] });
    await settled();
    expect(text(window)).toBe("second");
  });

  it("is what is sent: messages, commands and commands of the shell, once each", async () => {
    const window = await opened();
    for (const typed of ["hello", "/help", "!ls"]) {
      window.send(`${typed}\r`);
      await settled();
      window.send(ESCAPE);
    }
    expect(window.server.paramsOf("prompts/add")).toEqual(
      ["hello", "/help", "!ls"].map((typed) => ({ cwd: "/work", text: typed })),
    );
  });

  it("is not lost with a server that dies meanwhile", async () => {
    const window = await opened();
    window.server.answers["prompts/add"] = (_, server) => {
      server.answers["prompts/add"] = () => ({ kept: true });
      server.lose();
      throw Object.assign(new Error("lost"), {});
    };
    window.send("hello\r");
    await settled();
    expect(text(window)).toBe("");
  });

  it("does not disturb whoever looks through it before it is there", async () => {
    const window = testWindow();
    let answer = (_: unknown): void => undefined;
    window.server.answers["prompts/list"] = () => new Promise((resolve) => (answer = resolve));
    window.controller.start();
    await settled();
    window.send("one\r");
    await settled();
    window.send("\u0010");
    answer({ prompts: [here("zero")], problems: [] });
    await settled();
    expect(text(window)).toBe("one");
    window.send(CTRL_N);
    expect(text(window)).toBe("");
  });
});

describe("Ctrl+R", () => {
  it("searches all folders and windows, letters in order, and Enter puts the marked one in without sending it", async () => {
    const window = await opened(there("deploy the site"), here("fix the parser"), here("fix the lexer"));
    window.send(CTRL_R);
    await settled();
    expect(found(window)).toEqual(["fix the lexer", "fix the parser", "deploy the site"]);
    window.send("dply");
    expect(found(window)).toEqual(["deploy the site"]);
    window.send(ENTER);
    await settled();
    expect(text(window)).toBe("deploy the site");
    expect(window.server.paramsOf("session/prompt")).toEqual([]);
  });

  it("goes to older ones when pressed again, and to newer ones with Up", async () => {
    const window = await opened(here("fix one"), here("fix two"), here("fix three"));
    window.send(`${CTRL_R}`);
    await settled();
    window.send(`fix${CTRL_R}${CTRL_R}${UP}`);
    window.send("\t");
    expect(text(window)).toBe("fix two");
  });

  it("begins with what is typed, and Escape brings exactly that back", async () => {
    const window = await opened(here("fix the parser"), here("unrelated"));
    window.send(`parser${CTRL_R}`);
    await settled();
    expect(found(window)).toEqual(["fix the parser"]);
    window.send("\u007f\u007f");
    window.send(ESCAPE);
    expect(text(window)).toBe("parser");
    expect(window.store.get().composer.search).toBeUndefined();
  });

  it("deletes whole characters of its query", async () => {
    const window = await opened();
    window.send(`${CTRL_R}a👩‍💻\u007f`);
    expect(window.store.get().composer.search?.query).toBe("a");
  });

  it("shows what it found in a line each, marks one, and names another folder", async () => {
    const window = await opened(there("deploy\nthe site"), here("fix the parser"));
    window.send(CTRL_R);
    await settled();
    const rows = promptSearchRows(window.store.get().composer.search, {
      size: { columns: 60, rows: 24 },
      keys: usualKeymap.names,
    }).map(textOfRow);
    expect(rows.map((row) => row.trimEnd())).toEqual([
      " › fix the parser",
      "   deploy ⏎ the site                                  place",
      " 1 of 2 · Enter use · Ctrl+R older · Esc back",
    ]);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(60);
  });
});

describe("the editor", () => {
  async function editing(edit: Parameters<typeof testWindow>[2]): Promise<TestWindow> {
    const window = testWindow({}, {}, edit);
    window.controller.start();
    await settled();
    return window;
  }

  it.each(["\u0007", "\u0018e", "\u0018\u0005"])("opens with %j on what is typed, pastes in full", async (key) => {
    const long = "line\n".repeat(30);
    const given: string[] = [];
    const window = await editing((typed) => {
      given.push(typed);
      return { text: "edited\ntext" };
    });
    window.send(`see \u001b[200~${long}\u001b[201~`);
    window.send(key);
    await settled();
    expect(given).toEqual([`see ${long}`]);
    expect(text(window)).toBe("edited\ntext");
    window.send("\u001f");
    expect(text(window)).toBe("see [pasted 30 lines]");
  });

  it("opens with /edit and a text", async () => {
    const window = await editing((typed) => ({ text: `${typed}!` }));
    window.send("/edit hello\r");
    await settled();
    expect(text(window)).toBe("hello!");
  });

  it("that fails says so and leaves what is typed alone", async () => {
    const window = await editing(() => ({ problem: "The editor ended with 1; the text stays as it was." }));
    window.send("draft\u0007");
    await settled();
    expect(text(window)).toBe("draft");
    expect(window.store.get().notes.at(-1)?.text).toContain("ended with 1");
  });
});

describe("a draft that is put aside", () => {
  const STASH = "\u0018s";

  it("comes back by itself after the message that was in between", async () => {
    const window = await opened();
    window.send(`half a thought${STASH}`);
    expect(text(window)).toBe("");
    window.send("quick question\r");
    await settled();
    expect(window.server.paramsOf("session/prompt")).toMatchObject([{ prompt: [{ text: "quick question" }] }]);
    expect(text(window)).toBe("half a thought");
  });

  it("is named above the input, as long as it waits", async () => {
    const window = await opened();
    const rows = () => aboveInput(chromeView(window.store.get(), 0)).map(textOfRow).join("\n");
    for (const typed of ["one", STASH, `two ${"long ".repeat(40)}`, STASH]) window.send(typed);
    expect(rows()).toMatch(/^ Stashed and 1 more \(Ctrl\+X S restores\): two long .*…$/);
    window.send(STASH);
    expect(rows()).toBe(" Stashed (Ctrl+X S restores): one");
  });

  it("comes back with the same key, and not after a command", async () => {
    const window = await opened();
    window.send(`half a thought${STASH}`);
    window.send("/help\r");
    await settled();
    window.send(ESCAPE);
    expect(text(window)).toBe("");
    window.send(STASH);
    expect(text(window)).toBe("half a thought");
  });
});

describe("Enter while a backtick is open", () => {
  it("is a new line, and sends once it is closed", async () => {
    const window = await opened();
    window.send("look:\n```ts");
    window.send(ENTER);
    window.send("const a = 1;");
    window.send(ENTER);
    await settled();
    expect(window.server.paramsOf("session/prompt")).toEqual([]);
    window.send("```");
    window.send(ENTER);
    await settled();
    expect(window.server.paramsOf("session/prompt")).toMatchObject([
      { prompt: [{ text: "look:\n```ts\nconst a = 1;\n```" }] },
    ]);
  });

  it("sends when pressed twice: it may be a slip", async () => {
    const window = await opened();
    window.send("don`t");
    window.send(ENTER);
    expect(window.store.get().notes.at(-1)?.text).toBe("` is open: close it, or press Enter again to send.");
    window.send(ENTER);
    await settled();
    expect(window.server.paramsOf("session/prompt")).toMatchObject([{ prompt: [{ text: "don`t\n" }] }]);
  });
});
