import { protocolError } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { ESCAPE, settled, summaryOf, type TestWindow, testWindow } from "../../test/scripted-server.ts";

const said = (seq: number) => ({
  sessionId: "s7",
  seq,
  at: "2026-11-21T14:30:22.000Z",
  agentId: "main",
  update: {
    sessionUpdate: "user_message",
    messageId: `m${seq}`,
    content: [{ type: "text", text: `words ${seq}` }],
    origin: "user",
  },
});

const who = "Session s7 is already open (process 7).";
const advice = "Close it there, or read it here without continuing.";

/** A window that was asked to open a session that another process holds. */
async function reading(prompt?: string): Promise<TestWindow> {
  const window = testWindow({ open: { how: "id", id: "s7" }, prompt });
  window.server.answers["session/resume"] = () => {
    throw protocolError("conflict", `${who} ${advice}`, {});
  };
  window.server.answers["hud/get"] = () => ({
    permissionMode: "default",
    agentsRunning: 0,
    queued: 0,
    context: { usedTokens: 0, windowTokens: 8192, windowSource: "server" },
  });
  window.server.answers["session/history"] = ({ after }) =>
    after === 0
      ? { events: [said(1), said(2)], more: true }
      : {
          events: [{ ...said(3), update: { sessionUpdate: "state_update", state: "running" } }],
          more: false,
        };
  window.controller.start();
  await settled();
  return window;
}

describe("a session that another process holds", () => {
  it("is shown, and only that", async () => {
    const window = await reading();
    const { session, screen, reading: why, turnSinceMs } = window.store.get();
    expect(screen).toBe("chat");
    expect(session).toMatchObject({ sessionId: "s7", seq: 3 });
    expect(session?.agents.get("main")?.items.length).toBe(2);
    expect(why).toEqual({ why: "elsewhere", text: `${who} ${advice}` });
    expect(turnSinceMs).toBeUndefined();
    // The holder is shown above the input as long as the session is read-only.
    expect(window.store.get().notes.map(({ text }) => text)).toEqual([advice]);
    expect(window.store.get().hud).toEqual({ permissionMode: "default", agentsRunning: 0, queued: 0 });
    window.send(ESCAPE);
    await settled();
    expect(window.server.paramsOf("session/cancel")).toEqual([]);
  });

  it("accepts no message and keeps it in the input", async () => {
    const window = await reading();
    window.send("do it\r");
    await settled();
    expect(window.store.get().composer.buffer.text).toBe("do it");
    expect(window.store.get().notes.at(-1)?.text).toContain("read-only here");
    expect(window.server.paramsOf("session/prompt")).toEqual([]);
    expect(window.server.paramsOf("session/new")).toEqual([]);
  });

  it("keeps a message of the command line", async () => {
    const window = await reading("go on");
    expect(window.store.get().composer.buffer.text).toBe("go on");
    expect(window.server.paramsOf("session/new")).toEqual([]);
  });

  it("is opened when it is free, or left for another", async () => {
    const window = await reading();
    window.server.answers["session/list"] = () => ({ sessions: [summaryOf("s7")] });
    window.server.answers["session/resume"] = () => ({ session: summaryOf("s7"), config: {}, seq: 0 });
    window.send("\u0018l");
    await settled();
    window.send("\r");
    await settled();
    expect(window.store.get().reading).toBeUndefined();
    expect(window.store.get().screen).toBe("chat");

    const other = await reading();
    other.send("/new\r");
    await settled();
    expect(other.store.get()).toMatchObject({ reading: undefined, session: undefined });
    expect(other.server.paramsOf("session/detach")).toEqual([]);
  });

  it("is not resumed when the server is restarted", async () => {
    const window = await reading();
    window.server.lose();
    window.clock.advance(500);
    await settled();
    expect(window.server.paramsOf("session/resume").length).toBe(1);
  });
});
