import { protocolError } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { frameOf } from "../../test/frame.ts";
import { settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";
import { TextBuffer } from "../input/index.ts";
import { attachments } from "../state/attachments.ts";
import { emptyComposer } from "../state/composer.ts";

const CTRL_V = "\u0016";
const loaded = (name: string) => ({
  ...{ name, mimeType: "image/png", data: "AAAA", widthPx: 1000, heightPx: 750 },
  original: { widthPx: 2000, heightPx: 1500, sizeBytes: 240_000 },
});
const sent = (name: string) => ({
  ...{ type: "image", name, mimeType: "image/png", data: "AAAA", widthPx: 1000, heightPx: 750 },
});

/** A server that has every image except those with `gone` in their name. */
async function windowWith(...pictures: Parameters<typeof testWindow>): Promise<TestWindow> {
  const window = testWindow(...pictures);
  window.server.answers["image/load"] = ({ source }) => {
    const { from, path = "clipboard" } = source as { from: string; path?: string };
    if (from === "clipboard") return loaded("clipboard");
    if (path.includes("gone")) throw protocolError("not_found", `There is no image at ${path}.`, { what: "image" });
    return loaded(path.split("/").at(-1) ?? "");
  };
  window.server.answers["prompt/preview"] = () => ({ mentions: [], model: "qwen3-coder", seesImages: true });
  window.controller.start();
  await settled();
  return window;
}

const names = ({ store }: TestWindow) => attachments.of(store.get()).pictures.map(({ name }) => name);
const notes = ({ store }: TestWindow) => store.get().notes.map(({ text }) => text);
const paste = (text: string) => ({ type: "paste" as const, text, cut: false });

describe("images of a message", () => {
  it("are added by Ctrl+V, by a drop and by /image, and sent with it, once", async () => {
    const window = await windowWith();
    window.send(CTRL_V);
    window.event(paste("'/tmp/a shot.png'"));
    await settled();
    window.send("/image docs/b.png\r");
    await settled();
    expect(names(window)).toEqual(["clipboard", "a shot.png", "b.png"]);
    window.send("what is it\r");
    await settled();
    window.send("and now\r");
    await settled();
    const prompts = window.server.paramsOf("session/prompt").map(({ prompt }) => prompt);
    expect(prompts).toEqual([
      [{ type: "text", text: "what is it" }, sent("clipboard"), sent("a shot.png"), sent("b.png")],
      [{ type: "text", text: "and now" }],
    ]);
  });

  it("are sent without words, and Enter waits for one that is still being read", async () => {
    const window = await windowWith();
    window.send(CTRL_V);
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/prompt")[0]?.prompt).toEqual([sent("clipboard")]);
  });

  it("stay a text when a drop is none, with the reason", async () => {
    const window = await windowWith();
    window.event(paste("/tmp/gone.png"));
    await settled();
    expect(window.store.get().composer.buffer.text).toBe("/tmp/gone.png");
    expect(notes(window)).toEqual(["There is no image at /tmp/gone.png."]);
  });

  it("are listed and removed: /image, /image drop N, /image clear, Backspace and Escape in the empty input", async () => {
    const window = await windowWith();
    for (const name of ["a", "b", "c", "d"]) window.event(paste(`/tmp/${name}.png`));
    await settled();
    window.send("/image \r");
    await settled();
    expect(notes(window).at(-1)).toContain("1. a.png, 2000×1500, 240 kB\n2. b.png");
    window.send("/image drop 2\r");
    await settled();
    expect(names(window)).toEqual(["a.png", "c.png", "d.png"]);
    window.send("/image drop 7\r");
    await settled();
    expect(notes(window).at(-1)).toMatch(/^Usage: \/image drop N\. 1\. a\.png/);
    window.send("\u007f");
    expect(names(window)).toEqual(["a.png", "c.png"]);
    window.send("\u001b");
    expect(names(window)).toEqual([]);
    window.event(paste("/tmp/e.png"));
    await settled();
    window.send("/image clear\r");
    await settled();
    expect(names(window)).toEqual([]);
  });

  it("are ten at most", async () => {
    const window = await windowWith();
    for (let count = 0; count < 11; count++) window.send(CTRL_V);
    await settled();
    await settled();
    expect(names(window)).toHaveLength(10);
    expect(notes(window)).toContain("A message takes 10 images. /image drop N removes one.");
  });

  it("come back when the message was not sent, and when it is taken out of the queue", async () => {
    const window = await windowWith();
    window.server.answers["session/prompt"] = () => {
      throw protocolError("storage_failed", "The disk is full.");
    };
    window.send(CTRL_V);
    await settled();
    window.send("look\r");
    await settled();
    expect(names(window)).toEqual(["clipboard"]);
    window.server.answers["session/prompt"] = ({ promptId }) => ({ promptId, disposition: "queued" });
    window.send("\r");
    await settled();
    expect(names(window)).toEqual([]);
    window.server.update("s1", 1, { sessionUpdate: "state_update", state: "running" });
    const content = [{ type: "text" as const, text: "look" }, sent("clipboard") as never];
    window.server.update("s1", 2, { sessionUpdate: "queue_update", added: [{ promptId: "p9", content }], removed: [] });
    window.send("\u001b[1;3A");
    await settled();
    expect(names(window)).toEqual(["clipboard"]);
    expect(window.store.get().composer.buffer.text).toBe("look");
  });
});

describe("the clipboard of the terminal", () => {
  const nothing = () => {
    throw protocolError("not_found", "There is no clipboard here.", { what: "clipboard_program" });
  };

  it("is asked where this machine has no program for its own, and the better reason is shown", async () => {
    const answers = [{ data: "BBBB" }, { problem: "The terminal does not allow reading the clipboard." }, undefined];
    const window = await windowWith({}, { readTerminalClipboard: async () => answers.shift() });
    window.server.answers["image/load"] = (params) =>
      (params.source as { from: string }).from === "data" ? loaded("clipboard") : nothing();
    window.send(CTRL_V);
    await settled();
    expect(window.server.paramsOf("image/load").at(-1)).toEqual({ source: { from: "data", data: "BBBB" } });
    expect(names(window)).toEqual(["clipboard"]);
    window.send(CTRL_V);
    window.send(CTRL_V);
    await settled();
    await settled();
    expect(notes(window)).toEqual([
      "The terminal does not allow reading the clipboard.",
      "There is no clipboard here.",
    ]);
  });

  it("comes first where the window runs far from the person", async () => {
    const window = await windowWith({}, { isRemote: true, readTerminalClipboard: async () => ({ data: "BBBB" }) });
    window.send(CTRL_V);
    await settled();
    expect(window.server.paramsOf("image/load")).toEqual([{ source: { from: "data", data: "BBBB" } }]);
  });
});

describe("mentions in the input", () => {
  it("are asked for when they have changed, and not with each letter of other words", async () => {
    const window = await windowWith();
    const typed = (text: string) => {
      window.send(text);
      window.clock.advance(200);
    };
    typed("look at @src/a.ts");
    for (const letter of " and tell me") typed(letter);
    typed(" @b.ts#3");
    await settled();
    expect(window.server.paramsOf("prompt/preview").map(({ text }) => text)).toEqual([
      "@src/a.ts",
      "@src/a.ts @b.ts#3",
    ]);
    expect(window.server.paramsOf("prompt/preview")[0]?.at).toEqual({ cwd: "/work", config: {} });
  });

  it("say what is wrong with a path only once it is typed to its end", async () => {
    const window = await windowWith();
    const gone = { mention: "src/li", problem: "There is no src/li to send." };
    const warned = { mention: "gone.txt", warning: "There is no gone.txt in this folder." };
    const there = { mention: "a.ts", kind: "file", tokens: 12 };
    window.server.answers["prompt/preview"] = ({ text }) => ({
      mentions: [gone, warned, there].filter(({ mention }) => String(text).includes(mention)),
    });
    const shown = async (text: string) => {
      window.send(text);
      window.clock.advance(200);
      await settled();
      return attachments.of(window.store.get()).mentions.map(({ mention }) => mention);
    };
    expect(await shown("@a.ts @src/li")).toEqual(["a.ts"]);
    expect(await shown("n")).toEqual(["a.ts"]);
    expect(await shown("\u007f ")).toEqual(["src/li", "a.ts"]);
    expect(await shown("@gone.txt")).toEqual(["src/li", "a.ts"]);
    const asked = window.server.paramsOf("prompt/preview").length;
    expect(await shown(" ")).toEqual(["src/li", "gone.txt", "a.ts"]);
    expect(window.server.paramsOf("prompt/preview")).toHaveLength(asked);
  });

  it("are forgotten with the text", async () => {
    const window = await windowWith();
    window.server.answers["prompt/preview"] = () => ({ mentions: [{ mention: "a.ts", kind: "file", tokens: 12 }] });
    window.send("@a.ts ");
    window.clock.advance(200);
    await settled();
    expect(attachments.of(window.store.get()).mentions).toHaveLength(1);
    window.send("\r");
    await settled();
    expect(attachments.of(window.store.get()).mentions).toEqual([]);
  });
});

describe("what goes with a message", () => {
  const shown = (columns: number, changes: object) =>
    frameOf([columns, 24], {
      session: undefined,
      turnSinceMs: undefined,
      composer: { ...emptyComposer, buffer: TextBuffer.of("look") },
      slices: {
        attachments: {
          pictures: [],
          loading: 0,
          mentions: [],
          model: "qwen3-coder",
          seesImages: undefined,
          ...changes,
        },
      },
    })
      .filter((line) => line !== "")
      .slice(0, -4);

  it("is one line above the input, with sizes", () => {
    const mentions = [
      { mention: "src/a.ts", kind: "file", tokens: 1_210 },
      { mention: "src/", kind: "folder", tokens: 40 },
    ];
    expect(shown(120, { pictures: [loaded("a shot.png")], mentions })).toEqual([
      " image 1 a shot.png 2000×1500, 240 kB · @src/a.ts 1.2k tokens · @src/ 40 tokens",
    ]);
  });

  it("wraps where the window is narrow, and only says what is wrong once", () => {
    const mentions = [
      { mention: "src/a.ts", kind: "file", tokens: 1_210 },
      { mention: "src/gone.ts", problem: "There is no src/gone.ts to send with the message. Correct the path." },
      { mention: "shot.png", kind: "image", widthPx: 10, heightPx: 20, sizeBytes: 812, tokens: 1 },
      { mention: "gone.txt", warning: "There is no gone.txt in this folder: the message goes without it." },
    ];
    expect(shown(50, { loading: 1, mentions, seesImages: false })).toEqual([
      " reading an image… · @src/a.ts 1.2k tokens ·",
      " @shot.png 10×20, 812 bytes, 1 token",
      " ✗ There is no src/gone.ts to send with the",
      "   message. Correct the path.",
      " ! There is no gone.txt in this folder: the",
      "   message goes without it.",
      " ! qwen3-coder cannot see images: it is only told",
      "   that an image was left out. /model chooses",
      "   another model.",
    ]);
  });
});
