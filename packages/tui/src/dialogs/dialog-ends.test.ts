import type { Permission, PermissionEnd, PermissionOutcome } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";
import { modesInForce } from "../state/selectors.ts";

const permission = (id: string, agentId = "main"): Permission => ({
  permissionId: id,
  agentId,
  toolCallId: `call-${id}`,
  tool: "bash",
  title: `bash make ${id}`,
  reason: "runs a command",
  risk: "medium",
  effects: [],
  preview: [{ type: "terminal", command: `make ${id}`, output: "", exitCode: null, durationMs: 0 }],
  options: [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    { optionId: "no", name: "Deny", kind: "reject_once" },
  ],
});

async function opened(): Promise<TestWindow> {
  const window = testWindow();
  window.controller.start();
  await settled();
  window.send("hello\r");
  await settled();
  window.server.update("s1", 1, { sessionUpdate: "state_update", state: "requires_action" });
  window.clock.advance(5000);
  return window;
}

function ask({ server }: TestWindow, id: string, agentId?: string, more: Permission["options"] = []) {
  const withdraw = new AbortController();
  const plain = permission(id, agentId);
  const asked = { ...plain, options: [...plain.options, ...more] };
  const answers: PermissionOutcome[] = [];
  void server.listeners
    ?.onPermission({ sessionId: "s1", permission: asked }, withdraw.signal)
    .then((each) => answers.push(each));
  return { withdraw, answers };
}

function resolved(
  { server }: TestWindow,
  seq: number,
  id: string,
  outcome: PermissionOutcome,
  by: string,
  reason: PermissionEnd = outcome.outcome === "selected" ? "answered" : "cancelled",
): void {
  server.update("s1", seq, {
    sessionUpdate: "permission_resolved",
    permissionId: id,
    toolCallId: `call-${id}`,
    outcome,
    by,
    reason,
  });
}

const notes = ({ store }: TestWindow): string[] => store.get().notes.map(({ text }) => text);
const ids = ({ store }: TestWindow): string[] => store.get().dialogs.map(({ id }) => id);
const once: PermissionOutcome = { outcome: "selected", optionId: "once" };
const cancelled: PermissionOutcome = { outcome: "cancelled" };

describe("a permission that another client answers", () => {
  const said = `Answered by cli: Allow once. It was "Run make p1"`;

  it("is noted until the turn ends", async () => {
    const window = await opened();
    const dialog = ask(window, "p1");
    dialog.withdraw.abort();
    resolved(window, 2, "p1", once, "cli");
    await settled();
    expect(notes(window)).toEqual([said]);
    window.server.update("s1", 3, { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    expect(notes(window)).toEqual([]);
  });

  it("closes the dialog and notes who answered when the withdrawal arrives first", async () => {
    const window = await opened();
    const dialog = ask(window, "p1");
    dialog.withdraw.abort();
    await settled();
    expect(notes(window)).toEqual([]);
    resolved(window, 2, "p1", once, "cli");
    expect(notes(window)).toEqual([said]);
    expect(ids(window)).toEqual([]);
    expect(dialog.answers).toEqual([cancelled]);
  });

  it("closes the dialog with a note when the fact arrives first", async () => {
    const window = await opened();
    const dialog = ask(window, "p1");
    resolved(window, 2, "p1", once, "cli");
    expect(ids(window)).toEqual([]);
    dialog.withdraw.abort();
    await settled();
    expect(notes(window)).toEqual([said]);
    expect(dialog.answers).toEqual([cancelled]);
  });

  it("adds no note for an answer given here", async () => {
    const window = await opened();
    ask(window, "p1");
    window.clock.advance(200);
    for (const key of "y\r") window.send(key);
    await settled();
    resolved(window, 2, "p1", once, "window");
    expect(notes(window)).toEqual([]);
  });

  it("keeps the other dialogs, each with its own delay", async () => {
    const window = await opened();
    const [first, second, third] = [ask(window, "p1"), ask(window, "p2", "tester"), ask(window, "p3")];
    window.clock.advance(200);
    resolved(window, 2, "p1", { outcome: "selected", optionId: "no", feedback: "not now" }, "cli");
    expect(notes(window)[0]).toContain("Answered by cli: Deny, with words for the model.");
    window.send("y");
    await settled();
    expect(second?.answers).toEqual([]);
    window.clock.advance(1000);
    for (const key of "y\r") window.send(key);
    window.clock.advance(1000);
    for (const key of "n\r\r") window.send(key);
    await settled();
    expect(second?.answers).toEqual([once]);
    expect(third?.answers).toMatchObject([{ optionId: "no" }]);
    expect(first?.answers).toEqual([cancelled]);
  });
});

describe("a change of mode while a permission waits", () => {
  it.each(["the fact", "the withdrawal"])(
    "withdraws the request with a note, %s first; it may be asked again",
    async (first) => {
      const window = await opened();
      const dialog = ask(window, "p1");
      if (first === "the withdrawal") dialog.withdraw.abort();
      await settled();
      window.server.update("s1", 2, { sessionUpdate: "config_option_update", config: { permissionMode: "deny" } });
      dialog.withdraw.abort();
      resolved(window, 3, "p1", cancelled, "harness", "mode_changed");
      await settled();
      expect(notes(window)[0]).toBe(`The mode changed: "Run make p1" is decided again.`);
      ask(window, "p2");
      expect(ids(window)).toEqual(["p2"]);
    },
  );

  it("adds no note when an answer has changed the mode", async () => {
    const window = await opened();
    const dialog = ask(window, "p1", "main", [{ optionId: "turn", name: "All edits", kind: "allow_turn" }]);
    window.clock.advance(1000);
    window.send("a");
    await settled();
    window.clock.advance(1000);
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/set_config_option")).toHaveLength(1);
    const before = notes(window);
    dialog.withdraw.abort();
    resolved(window, 2, "p1", cancelled, "harness", "mode_changed");
    await settled();
    expect(ids(window)).toEqual([]);
    expect(notes(window)).toEqual(before);
  });

  it("adds no note when the turn was stopped", async () => {
    const window = await opened();
    const dialog = ask(window, "p1");
    dialog.withdraw.abort();
    resolved(window, 2, "p1", cancelled, "harness");
    await settled();
    expect(notes(window)).toEqual([]);
  });

  it("comes with Shift+Tab once the dialog was seen, and not before", async () => {
    const window = await opened();
    ask(window, "p1");
    window.send("\u001b[Z");
    await settled();
    const changes = () => window.server.paramsOf("session/set_config_option");
    expect(changes()).toEqual([]);
    window.clock.advance(1000);
    window.send("\u001b[Z");
    await settled();
    expect(changes()).toEqual([{ sessionId: "s1", config: { permissionMode: "accept-edits" } }]);
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
  });
});

describe("Shift+Tab", () => {
  it("goes round the modes, before there is a session, too, and says what each does", async () => {
    const window = testWindow();
    window.controller.start();
    await settled();
    const seen: unknown[] = [];
    for (let press = 0; press < 4; press++) {
      // The answer of the server before there is a session.
      window.server.answers["hud/get"] = ({ config }) => ({
        permissionMode: "default",
        mode: "agent",
        ...(config as object),
        agentsRunning: 0,
        queued: 0,
      });
      window.send("\u001b[Z");
      await settled();
      seen.push(notes(window));
    }
    expect(seen).toEqual([
      ["Edits allowed: edits in this folder run without asking; other commands still ask. Shift+Tab: edits reviewed."],
      [
        "Edits reviewed: edits wait beside the folder until you have gone through them; commands still ask. Shift+Tab: planning.",
      ],
      ["Planning: it reads and plans, and changes nothing. Shift+Tab: asks first."],
      ["Asks first: you are asked before files change and before commands run. Shift+Tab: edits allowed."],
    ]);
    window.send("hello\r");
    await settled();
    expect(window.server.paramsOf("session/new")).toMatchObject([
      { config: { permissionMode: "default", mode: "agent" } },
    ]);
  });

  it("goes on from the mode that the server has not confirmed yet", async () => {
    const window = await opened();
    for (let press = 0; press < 3; press++) window.send("\u001b[Z");
    await settled();
    expect(window.server.paramsOf("session/set_config_option").map(({ config }) => config)).toEqual([
      { permissionMode: "accept-edits" },
      { permissionMode: "review" },
      { permissionMode: "default", mode: "planning" },
    ]);
    expect(notes(window)).toEqual(["Planning: it reads and plans, and changes nothing. Shift+Tab: asks first."]);
  });

  it("reports a failure and shows the mode in force", async () => {
    const window = await opened();
    window.server.answers["session/set_config_option"] = () => {
      throw new Error("not now.");
    };
    window.send("\u001b[Z");
    await settled();
    expect(notes(window)).toEqual(["The mode could not be changed: not now."]);
    expect(modesInForce(window.store.get()).permissionMode).toBe("default");
  });
});

describe("a question without an answer", () => {
  const question = { sessionId: "s1", elicitationId: "e1", agentId: "main", message: "?", options: [], freeText: true };

  it.each([
    ["2026-11-21T14:30:23.000Z", "The question expired; the agent goes on without an answer."],
    ["2026-11-22T14:30:23.000Z", "The question was answered elsewhere."],
  ])("that expires at %s ends with the note %s", async (expiresAt, text) => {
    const window = await opened();
    const withdraw = new AbortController();
    const answer = window.server.listeners?.onQuestion({ ...question, expiresAt }, withdraw.signal);
    window.clock.advance(1000);
    withdraw.abort();
    expect(await answer).toEqual({ action: "cancel" });
    expect(notes(window)).toEqual([text]);
  });

  it("scrolls a text longer than its dialog", async () => {
    const window = await opened();
    const message = Array.from({ length: 50 }, (_, at) => `line ${at}`).join("\n");
    void window.server.listeners?.onQuestion({ ...question, message }, new AbortController().signal);
    window.clock.advance(1000);
    window.send("\u001b[6~");
    expect(window.store.get().dialogs[0]?.scroll).toBeGreaterThan(0);
    for (let page = 0; page < 30; page++) window.send("\u001b[6~");
    const end = window.store.get().dialogs[0]?.scroll ?? 0;
    expect(end).toBeLessThan(50);
    window.send(ESCAPE);
    expect(ids(window)).toEqual([]);
  });
});
