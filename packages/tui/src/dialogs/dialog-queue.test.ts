import type { Permission, PermissionOutcome } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { CTRL_C, ESCAPE, settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";

function permission(id: string): Permission {
  return {
    permissionId: id,
    agentId: "main",
    toolCallId: `call-${id}`,
    tool: "bash",
    title: "bash npm test",
    reason: "runs a command",
    risk: "medium",
    effects: [{ kind: "run", command: "npm test", cwd: "/work" }],
    preview: [{ type: "terminal", command: "npm test", output: "", exitCode: null, durationMs: 0 }],
    options: [
      { optionId: "once", name: "Allow once", kind: "allow_once" },
      { optionId: "session", name: "Allow for this session", kind: "allow_session", covers: "npm test" },
      { optionId: "no", name: "Deny", kind: "reject_once" },
    ],
  };
}

const everyOption: Permission["options"] = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "turn", name: "Allow for this turn", kind: "allow_turn", covers: "changes of files" },
  { optionId: "session", name: "Allow for this session", kind: "allow_session", covers: "npm test" },
  { optionId: "always", name: "Always allow", kind: "allow_always", covers: "bash(npm test)" },
  { optionId: "no", name: "Deny", kind: "reject_once" },
  { optionId: "never", name: "Always deny", kind: "reject_always", covers: "bash(npm test)" },
];

/** Keys one after another, each seen before the next one. */
function press({ send }: TestWindow, ...keys: string[]): void {
  for (const key of keys) send(key);
}

type OpenQuestion = { answer: PermissionOutcome | undefined; withdraw: AbortController };

async function asked(...ids: string[]): Promise<{ window: TestWindow; dialogs: OpenQuestion[] }> {
  const window = testWindow();
  window.controller.start();
  await settled();
  window.send("hello\r");
  await settled();
  window.clock.advance(5000);
  const dialogs = ids.map((id) => ask(window, id));
  return { window, dialogs };
}

function ask({ server }: TestWindow, id: string, changes: Partial<Permission> = {}): OpenQuestion {
  const dialog: OpenQuestion = { answer: undefined, withdraw: new AbortController() };
  const params = { sessionId: "s1", permission: { ...permission(id), ...changes } };
  void server.listeners?.onPermission(params, dialog.withdraw.signal).then((answer) => {
    dialog.answer = answer;
  });
  return dialog;
}

describe("a permission dialog", () => {
  it.each([
    [["y", "\r"], { outcome: "selected", optionId: "once" }],
    [["1", "\r"], { outcome: "selected", optionId: "once" }],
    [["s", "\r"], { outcome: "selected", optionId: "session" }],
    [["2", "\r"], { outcome: "selected", optionId: "session" }],
    [["n", "\r", "\r"], { outcome: "selected", optionId: "no" }],
    [["d", "\r", "\r"], { outcome: "selected", optionId: "no" }],
    [["3", "\r", "\r"], { outcome: "selected", optionId: "no" }],
    [[ESCAPE], { outcome: "selected", optionId: "no" }],
    [["\r"], { outcome: "selected", optionId: "once" }],
    [["\u001b[B", "\r"], { outcome: "selected", optionId: "session" }],
    [["\u001b[B", "\u001b[B", "\r", "\r"], { outcome: "selected", optionId: "no" }],
    [["\u001b[B", "\u001b[A", "\r"], { outcome: "selected", optionId: "once" }],
    [["n", "\u001b[A", "\r"], { outcome: "selected", optionId: "session" }],
    [["n", "\u007f", "\r"], { outcome: "selected", optionId: "once" }],
    [["n", "\u001b[A", "y", "\r"], { outcome: "selected", optionId: "once" }],
  ])("is answered by %j", async (keys, outcome) => {
    const { window, dialogs } = await asked("p1");
    window.clock.advance(200);
    press(window, ...keys);
    await settled();
    expect(dialogs[0]?.answer).toEqual(outcome);
    expect(window.store.get().dialogs).toEqual([]);
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
  });

  it.each(["z", "yes, go", "any 1"])("takes no key of %j before it was in view for 200 ms", async (words) => {
    const { window, dialogs } = await asked("p1");
    window.clock.advance(199);
    for (const key of words) window.send(key);
    await settled();
    expect(dialogs[0]?.answer).toBeUndefined();
    expect(window.store.get().composer.buffer.text).toBe(words);
  });

  it("forgets an answer that came too early, and takes the next one", async () => {
    const { window, dialogs } = await asked("p1");
    window.clock.advance(199);
    window.send("y");
    window.clock.advance(399);
    window.send("y");
    await settled();
    expect(dialogs[0]?.answer).toBeUndefined();
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
    window.clock.advance(400);
    press(window, "s", "\r");
    await settled();
    expect(dialogs[0]?.answer).toMatchObject({ optionId: "session" });
  });

  it("forgets an answer that is given again at once, also before the next dialog is there", async () => {
    const { window, dialogs } = await asked("p1");
    window.clock.advance(200);
    press(window, "y", "\r", "\r", "y", "\r");
    dialogs.push(ask(window, "p2"));
    window.clock.advance(399);
    press(window, "y", "\r");
    await settled();
    expect(dialogs.map(({ answer }) => answer !== undefined)).toEqual([true, false]);
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
    expect(window.server.paramsOf("session/prompt")).toHaveLength(1);
    window.clock.advance(400);
    press(window, "n", "\r", "\r");
    await settled();
    expect(dialogs[1]?.answer).toMatchObject({ optionId: "no" });
  });

  it("leaves the input what is typed after an answer", async () => {
    const { window } = await asked("p1");
    window.clock.advance(200);
    press(window, "y", "\r", ..."and yes");
    await settled();
    expect(window.store.get().composer.buffer.text).toBe("and yes");
  });

  it("waits until typing has stopped", async () => {
    const { window, dialogs } = await asked("p1");
    for (let word = 0; word < 5; word++) {
      window.clock.advance(150);
      window.send("y");
    }
    await settled();
    expect(dialogs[0]?.answer).toBeUndefined();
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
  });

  it.each(["y", "1", "n", "\r", " "])("leaves %j to a draft in the input; Escape leads to the answers", async (key) => {
    const { window } = await asked();
    window.send("do it");
    const dialog = ask(window, "p1");
    window.clock.advance(5000);
    window.send(key);
    await settled();
    expect(dialog.answer).toBeUndefined();
    const { composer } = window.store.get();
    expect(key === "\r" ? composer.buffer.text : composer.buffer.text).toBe(key === "\r" ? "" : `do it${key}`);
    // The keys were a message, and the key after it does not answer the dialog either.
    window.send("y");
    await settled();
    expect(dialog.answer).toBeUndefined();
    if (key !== "\r") window.send(ESCAPE);
    window.clock.advance(5000);
    press(window, "s", "\r");
    await settled();
    expect(dialog.answer).toMatchObject({ optionId: "session" });
  });

  it("stops its turn with Escape, and denies the call", async () => {
    const { window, dialogs } = await asked("p1", "p2");
    window.server.update("s1", 1, { sessionUpdate: "state_update", state: "requires_action" });
    window.clock.advance(200);
    window.send(ESCAPE);
    window.send(ESCAPE);
    await settled();
    expect(window.server.paramsOf("session/cancel")).toEqual([{ sessionId: "s1" }]);
    expect(dialogs[0]?.answer).toMatchObject({ optionId: "no" });
  });

  it("of an agent that goes on behind a turn that is over stops that agent alone", async () => {
    const { window } = await asked();
    const dialog = ask(window, "p1", { agentId: "agent-1" });
    window.clock.advance(200);
    window.send(ESCAPE);
    await settled();
    expect(window.server.paramsOf("session/cancel")).toEqual([{ sessionId: "s1", agentId: "agent-1" }]);
    expect(dialog.answer).toMatchObject({ optionId: "no" });
  });

  it.each(["n", "3"])("goes on after a denial with %j", async (key) => {
    const { window, dialogs } = await asked("p1");
    window.clock.advance(200);
    press(window, key, "\r", "\r");
    await settled();
    expect(window.server.paramsOf("session/cancel")).toEqual([]);
    expect(dialogs[0]?.answer).toMatchObject({ optionId: "no" });
  });

  it("has its mark on No where the risk is high", async () => {
    const { window } = await asked();
    const dialog = ask(window, "p1", { risk: "high" });
    window.clock.advance(200);
    press(window, "\r", "\r");
    await settled();
    expect(dialog.answer).toEqual({ outcome: "selected", optionId: "no" });
  });

  it("of an edit offers all edits of the session, as Shift+Tab does", async () => {
    const { window } = await asked();
    const dialog = ask(window, "p1", { options: everyOption });
    window.clock.advance(200);
    press(window, "a", "\r");
    await settled();
    expect(window.server.paramsOf("session/set_config_option")).toEqual([
      { sessionId: "s1", config: { permissionMode: "accept-edits" } },
    ]);
    expect(dialog.answer).toBeUndefined();
  });

  it("must be in view again after something covered it", async () => {
    const { window, dialogs } = await asked("p1");
    window.clock.advance(1000);
    window.send("\u0013");
    window.send(ESCAPE);
    press(window, "y", "\r");
    await settled();
    expect(dialogs[0]?.answer).toBeUndefined();
    window.clock.advance(1000);
    press(window, "y", "\r");
    await settled();
    expect(dialogs[0]?.answer).toMatchObject({ optionId: "once" });
  });

  it.each([["w", "\r"], ["\t"]])("denies with feedback for the model after %j %j", async (...keys) => {
    const { window, dialogs } = await asked("p1");
    window.clock.advance(200);
    press(window, ...keys.filter((key) => typeof key === "string"));
    window.send("use y1 instead");
    window.send("\r");
    await settled();
    expect(dialogs[0]?.answer).toEqual({ outcome: "selected", optionId: "no", feedback: "use y1 instead" });
  });

  it.each([
    ["t", "turn"],
    ["r", "always"],
    ["x", "never"],
    ["1", "once"],
    ["2", "session"],
    ["4", "turn"],
    ["5", "always"],
    ["6", "never"],
  ])("of every kind is answered by %j and Enter", async (key, optionId) => {
    const { window } = await asked();
    const dialog = ask(window, "p1", { options: everyOption });
    window.clock.advance(200);
    window.send(key);
    await settled();
    expect(dialog.answer).toBeUndefined();
    window.send("\r");
    await settled();
    expect(dialog.answer).toEqual({ outcome: "selected", optionId });
  });

  it("queues; the next one needs its own 200 ms", async () => {
    const { window, dialogs } = await asked("p1", "p2");
    window.clock.advance(200);
    press(window, "y", "\r", "y", "\r");
    await settled();
    expect(dialogs.map(({ answer }) => answer !== undefined)).toEqual([true, false]);
    window.clock.advance(600);
    press(window, "n", "\r", "\r");
    await settled();
    expect(dialogs[1]?.answer).toMatchObject({ optionId: "no" });
  });

  it("waits while another screen is shown, and Enter on Home leads to it", async () => {
    const { window, dialogs } = await asked();
    window.send("/new\r");
    window.send(ESCAPE);
    expect(window.store.get().screen).toBe("home");
    dialogs.push(ask(window, "p1"));
    window.clock.advance(1000);
    window.send("\r");
    expect(window.store.get().screen).toBe("chat");
    window.clock.advance(1000);
    press(window, "y", "\r");
    await settled();
    expect(dialogs[0]?.answer).toMatchObject({ optionId: "once" });
  });

  it("goes when it was answered elsewhere", async () => {
    const { window, dialogs } = await asked("p1");
    dialogs[0]?.withdraw.abort();
    await settled();
    expect(window.store.get().dialogs).toEqual([]);
    expect(dialogs[0]?.answer).toEqual({ outcome: "cancelled" });
  });

  it("goes when the server is lost", async () => {
    const { window } = await asked("p1");
    window.server.lose();
    expect(window.store.get().dialogs).toEqual([]);
  });

  it("leaves Ctrl+C its meaning", async () => {
    const { window } = await asked("p1");
    window.server.update("s1", 1, { sessionUpdate: "state_update", state: "requires_action" });
    window.clock.advance(200);
    window.send(CTRL_C);
    await settled();
    expect(window.server.paramsOf("session/cancel")).toEqual([{ sessionId: "s1" }]);
  });
});

describe("a preview that is longer than its dialog", () => {
  const long = Array.from({ length: 60 }, (_, at) => `echo ${at}`).join("\n");
  const preview: Permission["preview"] = [
    { type: "terminal", command: long, output: "", exitCode: null, durationMs: 0 },
  ];
  const PAGE_DOWN = "\u001b[6~";

  async function longAsked(): Promise<{ window: TestWindow; dialog: OpenQuestion }> {
    const { window } = await asked();
    const dialog = ask(window, "p1", { preview });
    window.clock.advance(200);
    return { window, dialog };
  }

  it.each(["y", "s", "1", "2"])("is not allowed by %j before its end was in view", async (key) => {
    const { window, dialog } = await longAsked();
    press(window, key, "\r");
    await settled();
    expect(dialog.answer).toBeUndefined();
    expect(window.store.get().dialogs).toMatchObject([{ tooEarly: true }]);
    for (let page = 0; page < 10; page++) window.send(PAGE_DOWN);
    window.send("\r");
    await settled();
    // It was there, and could not be read yet.
    expect(dialog.answer).toBeUndefined();
    window.clock.advance(200);
    window.send("\u001b[5~");
    window.send("\r");
    await settled();
    expect(dialog.answer).toMatchObject({ outcome: "selected" });
  });

  it.each(["\u001b[F", "\u001b[<65;1;1M".repeat(40), "\u001b[1;2B".repeat(70)])(
    "is read to its end with %j",
    async (keys) => {
      const { window, dialog } = await longAsked();
      window.send(keys);
      window.clock.advance(200);
      press(window, "y", "\r");
      await settled();
      expect(dialog.answer).toMatchObject({ optionId: "once" });
    },
  );

  it("accepts no lasting denial before its coverage was in view", async () => {
    const { window } = await asked();
    const dialog = ask(window, "p1", { preview, options: everyOption });
    window.clock.advance(200);
    press(window, "x", "\r");
    await settled();
    expect(dialog.answer).toBeUndefined();
  });

  it.each(["n\r\r", ESCAPE])("is denied by %j at once", async (keys) => {
    const { window, dialog } = await longAsked();
    press(window, ...keys);
    await settled();
    expect(dialog.answer).toMatchObject({ optionId: "no" });
  });

  it("shows every row, however low the screen", async () => {
    const { window } = await longAsked();
    window.store.set({ size: { columns: 40, rows: 8 } });
    const shown: number[] = [];
    for (let page = 0; page < 60; page++) {
      shown.push(window.store.get().dialogs[0]?.scroll ?? -1);
      window.send(PAGE_DOWN);
    }
    // Three rows at a time, of 60 lines.
    expect(shown.slice(0, 32)).toEqual(Array.from({ length: 32 }, (_, at) => Math.min(3 * at, 57)));
  });
});

describe("a question dialog", () => {
  const question = {
    sessionId: "s1",
    elicitationId: "e1",
    agentId: "main",
    message: "Which one?",
    options: [
      { optionId: "a", name: "The first" },
      { optionId: "b", name: "The second" },
    ],
    freeText: true,
  };

  it.each([
    [["\r"], { action: "accept", optionId: "a" }],
    [["2", "\r"], { action: "accept", optionId: "b" }],
    [["\u001b[B", "\r"], { action: "accept", optionId: "b" }],
    [["2 tables please", "\r"], { action: "accept", text: "2 tables please" }],
    [["7", "\r"], { action: "accept", text: "7" }],
    [["neither, 2 are wrong", "\r"], { action: "accept", text: "neither, 2 are wrong" }],
    [["1", "\u001b[B", "\r"], { action: "accept", optionId: "b" }],
    [["my own words", "\u001b[A", "\r"], { action: "accept", text: "my own words" }],
    [[ESCAPE], { action: "decline" }],
  ])("is answered by %j", async (keys, expected) => {
    const { window } = await asked();
    const answer = window.server.listeners?.onQuestion(question, new AbortController().signal);
    window.clock.advance(200);
    for (const each of keys) window.send(each);
    expect(await answer).toEqual(expected);
  });

  it("is not answered by a digit alone, which marks its answer", async () => {
    const { window } = await asked();
    let answer: unknown;
    void window.server.listeners?.onQuestion(question, new AbortController().signal).then((given) => {
      answer = given;
    });
    window.clock.advance(200);
    window.send("2");
    await settled();
    expect(answer).toBeUndefined();
    expect(window.store.get().dialogs).toMatchObject([{ marked: 1 }]);
  });

  it.each([
    [[" ", "\u001b[B", " ", "\r"], { action: "accept", text: "The first; The second" }],
    [["\u001b[B", " ", "and a third", "\r"], { action: "accept", text: "The second; and a third" }],
    [[" ", " ", "\u001b[B", "\r", "\r"], { action: "accept", text: "none of these" }],
    [["2", " ", "1", " ", "\r"], { action: "accept", text: "The first; The second" }],
    [["2", " ", "1", "\r"], { action: "accept", text: "The first; The second" }],
  ])("with several answers is answered by %j", async (keys, expected) => {
    const { window } = await asked();
    const several = { ...question, multiple: true };
    const answer = window.server.listeners?.onQuestion(several, new AbortController().signal);
    window.clock.advance(200);
    for (const each of keys) window.send(each);
    expect(await answer).toEqual(expected);
  });

  it("without free text takes only its answers", async () => {
    const { window } = await asked();
    const closed = { ...question, freeText: false };
    const answer = window.server.listeners?.onQuestion(closed, new AbortController().signal);
    window.clock.advance(200);
    press(window, "2", "\r");
    expect(await answer).toEqual({ action: "accept", optionId: "b" });
  });

  it("without free text takes the number of its first answer", async () => {
    const { window } = await asked();
    const closed = { ...question, freeText: false };
    const answer = window.server.listeners?.onQuestion(closed, new AbortController().signal);
    window.clock.advance(200);
    for (const each of ["\u001b[B", "1"]) window.send(each);
    expect(window.store.get().dialogs).toMatchObject([{ marked: 0 }]);
    window.send("\r");
    expect(await answer).toEqual({ action: "accept", optionId: "a" });
  });
});
