import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";
import { NOT_MARKED } from "../state/composer.ts";

const commands = [
  { name: "mode", description: "The mode", argumentHint: "[casual|planning]", needsSession: false },
  { name: "add", description: "Pin files", argumentHint: "FILE…", needsSession: false },
  { name: "fix", description: "Fixes an issue", argumentHint: "[issue] [priority]", needsSession: false },
];

async function opened(): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["commands/list"] = () => ({ commands, unused: [] });
  window.controller.start();
  await settled();
  return window;
}

async function type(window: TestWindow, text: string): Promise<void> {
  window.send(text);
  window.clock.advance(100);
  await settled();
}

const menu = ({ store }: TestWindow) => store.get().composer.completion;
const labels = (window: TestWindow) => menu(window)?.items.map(({ label }) => label);
const input = ({ store }: TestWindow): string => store.get().composer.buffer.text;
const ran = ({ server }: TestWindow) =>
  server.paramsOf("command/run").map(({ name, args }) => `${name} ${args}`.trim());

describe("Enter in the menu of commands", () => {
  it("runs a command at once that needs no argument", async () => {
    const window = await opened();
    await type(window, "/mod");
    await type(window, "\r");
    expect(window.store.get().overlay?.kind).toBe("models");
  });

  it("puts a command in that needs one, and says what it takes", async () => {
    const window = await opened();
    await type(window, "/ad");
    await type(window, "\r");
    expect([input(window), ran(window)]).toEqual(["/add ", []]);
    await type(window, "s");
    expect(menu(window)?.hint).toBe("/add FILE…");
  });

  it("puts a guessed name in without running it", async () => {
    const window = await opened();
    await type(window, "/hstry");
    await type(window, "\r");
    expect([input(window), window.store.get().screen]).toEqual(["/history ", "home"]);
  });
});

describe("values after a command", () => {
  it("are listed, none is marked before a letter is typed, and Enter runs the command as it is", async () => {
    const window = await opened();
    await type(window, "/mode ");
    expect([labels(window), menu(window)?.selected]).toEqual([["casual", "planning"], -1]);
    await type(window, "\r");
    expect(ran(window)).toEqual(["mode"]);
  });

  it.each([
    ["Down marks the first", ["\u001b[B", "\r"], "mode casual"],
    ["Up marks the last", ["\u001b[A", "\r"], "mode planning"],
    ["a letter marks what fits", ["p", "\r"], "mode planning"],
    ["Tab puts the first in", ["\t", "\r"], "mode casual"],
  ])("are taken: %s", async (_, keys, line) => {
    const window = await opened();
    await type(window, "/mode ");
    for (const key of keys) await type(window, key);
    expect(ran(window)).toEqual([line]);
  });

  it("are files where a command takes files, each time", async () => {
    const window = await opened();
    await type(window, "/add src/");
    expect(labels(window)).toEqual(["src/main.ts", "src/"]);
    await type(window, "\t");
    expect(input(window)).toBe("/add src/main.ts");
    await type(window, " s");
    expect(window.server.paramsOf("files/search").at(-1)).toMatchObject({ query: "s" });
    expect(labels(window)).toEqual(["src/main.ts", "src/"]);
  });

  it("of a person's own command are what its file says, also for later arguments", async () => {
    const window = await opened();
    for (const text of ["/fix ", "12 ", "high"]) {
      await type(window, text);
      expect(menu(window)).toMatchObject({ hint: "/fix [issue] [priority]", items: [] });
    }
    window.send(ESCAPE);
    expect(input(window)).toBe("");
  });
});

describe("files in a message", () => {
  it("open where they are folders, and go on with what is in them", async () => {
    const window = await opened();
    await type(window, "look at @s");
    await type(window, "\u001b[B");
    await type(window, "\t");
    expect(input(window)).toBe("look at @src/");
    expect(window.server.paramsOf("files/search").at(-1)).toMatchObject({ query: "src/" });
    // The folder itself is there already: Enter sends it, Tab goes on.
    expect(labels(window)).toEqual(["src/main.ts"]);
    expect(menu(window)?.selected).toBe(NOT_MARKED);
    await type(window, "\t");
    expect(input(window)).toBe("look at @src/main.ts ");
  });

  it("with blanks in their names are put in quotes, which a folder leaves open", async () => {
    const window = await opened();
    window.server.answers["files/search"] = () => ({ paths: ["my notes/", "my notes/a b.md"] });
    await type(window, "@my");
    await type(window, "\t");
    expect(input(window)).toBe('@"my notes/');
    await type(window, "a b");
    expect(window.server.paramsOf("files/search").at(-1)).toMatchObject({ query: "my notes/a b" });
    await type(window, "\u001b[B");
    await type(window, "\t");
    expect(input(window)).toBe('@"my notes/a b.md" ');
    await type(window, "#10-12");
    expect(input(window)).toBe('@"my notes/a b.md"#10-12');
  });

  it("take the lines that are typed right behind them; behind another word `#` is only that", async () => {
    const window = await opened();
    await type(window, "@s");
    await type(window, "\t");
    await type(window, "#10-12 and ");
    expect(input(window)).toBe("@src/main.ts#10-12 and ");
    await type(window, "#3");
    expect(input(window)).toBe("@src/main.ts#10-12 and #3");
  });
});
