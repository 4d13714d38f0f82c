import { describe, expect, it } from "vitest";
import { CTRL_C, ESCAPE, settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";
import { composerLook } from "../window/footer.ts";

async function opened(): Promise<TestWindow> {
  const window = testWindow();
  window.controller.start();
  await settled();
  return window;
}

/** A window in Chat with a turn running. */
async function working(): Promise<TestWindow> {
  const window = await opened();
  window.send("hello\r");
  await settled();
  window.server.update("s1", 1, { sessionUpdate: "state_update", state: "running" });
  return window;
}

/** A window in Chat after a message of the user, with nothing running. */
async function rested(): Promise<TestWindow> {
  const window = await opened();
  window.send("hello\r");
  await settled();
  const content = [{ type: "text" as const, text: "hello" }];
  window.server.update("s1", 1, { sessionUpdate: "user_message", messageId: "u1", content, origin: "user" });
  return window;
}

const placeholder = ({ store }: TestWindow): string => composerLook(store.get()).placeholder;
const cancels = ({ server }: TestWindow): number => server.paramsOf("session/cancel").length;

describe("Escape", () => {
  it("closes a completion before anything else", async () => {
    const window = await working();
    window.send("/");
    expect(window.store.get().composer.completion).toBeDefined();
    window.send(ESCAPE);
    expect(window.store.get().composer.completion).toBeUndefined();
    expect(cancels(window)).toBe(0);
    expect(window.store.get().composer.buffer.text).toBe("/");
  });

  it("stops the running turn and leaves the input alone", async () => {
    const window = await working();
    window.send("next");
    window.send(ESCAPE);
    await settled();
    expect(cancels(window)).toBe(1);
    expect(window.store.get().composer.buffer.text).toBe("next");
  });

  it("empties the input when nothing runs, and Up brings the text back", async () => {
    const window = await opened();
    window.send("precious words");
    window.send(ESCAPE);
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
    window.send("\u001b[A");
    expect(window.store.get().composer.buffer.text).toBe("precious words");
  });

  it("leads Home from an empty chat, and stays there", async () => {
    const window = await opened();
    window.send("/new\r");
    await settled();
    expect(window.store.get().screen).toBe("chat");
    window.send(ESCAPE);
    expect(window.store.get().screen).toBe("home");
    window.send(ESCAPE);
    expect(window.store.get().screen).toBe("home");
    expect(window.left).toEqual([]);
  });

  it("at rest leads Home, where a second press opens the list of messages to rewind to, as Home says", async () => {
    const window = await rested();
    window.send(ESCAPE);
    expect(placeholder(window)).toBe("Esc again to rewind");
    expect(window.store.get()).toMatchObject({ screen: "home", overlay: undefined });
    window.send(ESCAPE);
    expect(window.store.get().overlay?.kind).toBe("rewind");
    expect(window.store.get().screen).toBe("chat");
  });

  it.each([
    ["two seconds", (window: TestWindow) => window.clock.advance(2001)],
    ["another key", (window: TestWindow) => window.send("x\u007f")],
  ])("stays Home after %s", async (_, meanwhile) => {
    const window = await rested();
    window.send(ESCAPE);
    meanwhile(window);
    expect(placeholder(window)).not.toContain("rewind");
    window.send(ESCAPE);
    expect(window.store.get()).toMatchObject({ screen: "home", overlay: undefined });
  });

  it("pressed again to be sure that the turn stops takes no draft away and rewinds nothing", async () => {
    const window = await working();
    window.send("draft");
    window.send(ESCAPE);
    window.server.update("s1", 2, { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" });
    for (let press = 0; press < 3; press++) window.send(ESCAPE);
    expect(window.store.get()).toMatchObject({ screen: "chat", overlay: undefined });
    expect(window.store.get().composer.buffer.text).toBe("draft");
    window.clock.advance(5001);
    window.send(ESCAPE);
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
  });

  it.each([
    ["\u0013", "settings"],
    ["\u0018l", "history"],
  ])("returns from a screen to the previous one (%j)", async (key, screen) => {
    const window = await opened();
    window.send("/new\r");
    await settled();
    window.send(key);
    expect(window.store.get().screen).toBe(screen);
    window.send(ESCAPE);
    expect(window.store.get().screen).toBe("chat");
  });
});

describe("a compaction", () => {
  it("is stopped by Escape, also where no turn runs", async () => {
    const window = await opened();
    window.send("hi\r");
    await settled();
    const status = { sessionUpdate: "compaction_status", compactionId: "c1", done: 0, total: 2 } as const;
    window.server.update("s1", undefined, { ...status, phase: "summarize" });
    expect(window.store.get().turnSinceMs).toBeDefined();
    window.send(ESCAPE);
    await settled();
    expect(cancels(window)).toBe(1);
    window.server.update("s1", undefined, { ...status, phase: "ended" });
    window.send(ESCAPE);
    await settled();
    expect([cancels(window), window.store.get().screen]).toEqual([1, "chat"]);
  });
});

describe("Ctrl+C", () => {
  it("stops the turn; the second time within two seconds leaves with 130", async () => {
    const window = await working();
    window.send(CTRL_C);
    await settled();
    expect(cancels(window)).toBe(1);
    window.clock.advance(1900);
    window.send(CTRL_C);
    expect(window.left).toEqual([130]);
  });

  it("empties the input first and keeps the text", async () => {
    const window = await opened();
    window.send("words");
    window.send(CTRL_C);
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
    expect(window.store.get().composer.sent).toEqual(["words"]);
    expect(window.left).toEqual([]);
  });

  it.each([
    ["two seconds", (window: TestWindow) => window.clock.advance(2001)],
    ["another key", (window: TestWindow) => window.send("x")],
  ])("asks again after %s", async (_, meanwhile) => {
    const window = await opened();
    window.send(CTRL_C);
    expect(window.store.get().leaveArmed).toBe(true);
    meanwhile(window);
    expect(window.store.get().leaveArmed).toBe(false);
    window.send(CTRL_C);
    expect(window.left).toEqual([]);
  });

  it("works in every screen and overlay", async () => {
    for (const way of ["/help\r", "/model\r", "/settings\r", "/history\r"]) {
      const window = await opened();
      window.send(way);
      await settled();
      window.send(CTRL_C);
      window.send(CTRL_C);
      expect(window.left).toEqual([130]);
    }
  });
});

describe("other keys", () => {
  it("Ctrl+D leaves with 0 when the input is empty, else deletes", async () => {
    const window = await opened();
    window.send("ab\u001b[D\u0004");
    expect(window.store.get().composer.buffer.text).toBe("a");
    window.send("\u007f");
    window.send("\u0004");
    expect(window.left).toEqual([0]);
  });

  it("scrolls the transcript by keys and wheel without touching the input", async () => {
    const window = await working();
    window.send("x\u001b[5~\u001b[6~\u001b[1;2A\u001b[1;5F\u001b[<64;1;1M\u000f");
    expect(window.scrolled).toEqual(["page -1", "page 1", "by -1", "end", "by -3", "fold"]);
    expect(window.store.get().composer.buffer.text).toBe("x");
  });

  it("Ctrl+Z suspends, Ctrl+L redraws, and regained focus refreshes the HUD", async () => {
    const window = await opened();
    const before = window.server.paramsOf("hud/get").length;
    window.send("\u001a\u000c\u001b[I");
    await settled();
    expect(window.scrolled).toEqual(["suspend", "redraw", "redraw"]);
    expect(window.server.paramsOf("hud/get").length).toBe(before + 1);
  });
});

describe("Enter", () => {
  const text = ({ store }: TestWindow): string => store.get().composer.buffer.text;

  it("after a backslash is a new line", async () => {
    const window = await opened();
    window.send("one\\");
    window.send("\r");
    window.send("two");
    await settled();
    expect(text(window)).toBe("one\ntwo");
    expect(window.server.paramsOf("session/prompt")).toEqual([]);
  });

  it("in the middle of an unmarked paste is a new line", async () => {
    const window = await opened();
    const lines = Array.from({ length: 200 }, (_, at) => `line ${at}`);
    window.send(`${lines.join("\r")}\r`);
    await settled();
    expect(window.server.paramsOf("session/prompt")).toEqual([]);
    expect(text(window)).toBe("[pasted 200 lines]");
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/prompt")).toMatchObject([{ prompt: [{ text: `${lines.join("\n")}\n` }] }]);
  });
});

describe("undo", () => {
  it.each(["\u001bu", "\u001f"])("is %j", async (key) => {
    const window = await opened();
    window.send("word");
    window.send(key);
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
  });
});
