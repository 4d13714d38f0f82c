import { describe, expect, it } from "vitest";
import { questionOf, subagent, worktreeIn } from "../../../test/agent-samples.ts";
import { CTRL_C, ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";

const CTRL_X_A = "\u0018a";
const DOWN = "\u001b[B";

const TASK = "look for it";
let seq = 0;

/** A window whose turn has started two subagents. `background`: both go on when the turn ends. */
async function working(background = false): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["session/cancel"] = () => ({ cancelled: true });
  window.controller.start();
  await settled();
  window.send("go\r");
  await settled();
  seq = 0;
  const extra = background ? { background: true as const } : {};
  fact(window, { sessionUpdate: "state_update", state: "running" });
  for (const childAgentId of ["agent-1", "agent-2"]) fact(window, subagent(childAgentId, TASK, extra));
  return window;
}

function fact(window: TestWindow, update: Parameters<TestWindow["server"]["update"]>[2], agentId = "main"): void {
  window.server.update("s1", ++seq, update, agentId);
}

const overlay = ({ store }: TestWindow) => store.get().overlay;
const inView = ({ store }: TestWindow) => store.get().agentInView;
const cancels = ({ server }: TestWindow) => server.paramsOf("session/cancel");

describe("/agents", () => {
  it("lists the agents as a tree that follows what happens, and opens the marked one", async () => {
    const window = await working();
    window.send("/agents\r");
    expect(overlay(window)).toMatchObject({
      kind: "agents",
      marked: "main",
      lines: [
        { agentId: "main", branch: "" },
        { agentId: "agent-1", branch: "├ " },
        { agentId: "agent-2", branch: "└ " },
      ],
    });
    fact(window, subagent("agent-3", TASK), "agent-1");
    fact(window, subagent("agent-2", TASK, { state: "completed", output: "found" }));
    window.clock.advance(300);
    expect(overlay(window)).toMatchObject({
      lines: [
        {},
        { agentId: "agent-1", branch: "├ ", canStop: true },
        { agentId: "agent-3", branch: "│ └ " },
        { agentId: "agent-2", branch: "└ ", state: "completed", doing: "found", canStop: false },
      ],
    });
    for (const key of [DOWN, DOWN, "\r"]) window.send(key);
    expect(overlay(window)).toBeUndefined();
    expect(inView(window)).toBe("agent-3");
    window.clock.advance(1_000);
    expect(overlay(window)).toBeUndefined();
    window.send(CTRL_X_A);
    expect(overlay(window)).toMatchObject({ marked: "agent-3" });
  });

  it("stops the marked agent at the second press, and not after another key", async () => {
    const window = await working();
    for (const key of [CTRL_X_A, DOWN, "s"]) window.send(key);
    expect(overlay(window)).toMatchObject({ question: { agentId: "agent-1", what: "stop" } });
    window.send(DOWN);
    window.send("s");
    window.send(ESCAPE);
    expect(overlay(window)).toMatchObject({ marked: "agent-2", question: undefined });
    expect(cancels(window)).toEqual([]);
    window.send("s");
    window.send("s");
    await settled();
    expect(cancels(window)).toEqual([{ sessionId: "s1", agentId: "agent-2" }]);
    window.send("\u001b[H");
    window.send("s");
    expect(overlay(window)).toMatchObject({ marked: "main", question: undefined });
  });

  it("shows, applies and drops what an agent has changed in a worktree of its own", async () => {
    const window = await working();
    const done = (state: "open" | "applied") =>
      fact(window, subagent("agent-1", TASK, { state: "completed", output: "done", worktree: worktreeIn(state) }));
    done("open");
    window.server.answers["agents/worktree"] = ({ action }) => ({ done: true, text: `${action} of 2 files` });
    for (const key of [CTRL_X_A, DOWN, "a", "x", "a"]) window.send(key);
    expect(overlay(window)).toMatchObject({ question: { agentId: "agent-1", what: "apply" } });
    window.send("a");
    await settled();
    expect(overlay(window)).toMatchObject({ question: undefined, message: "apply of 2 files" });
    done("applied");
    window.clock.advance(300);
    for (const key of ["x", "x", "d"]) window.send(key);
    await settled();
    expect(window.server.paramsOf("agents/worktree")).toEqual([
      { sessionId: "s1", agentId: "agent-1", action: "apply" },
    ]);
    done("open");
    window.clock.advance(300);
    window.send("d");
    await settled();
    expect(overlay(window)).toMatchObject({ kind: "text", title: "Changes of agent-1", text: "diff of 2 files" });
  });

  it("says that there are none without a session", async () => {
    const window = testWindow();
    window.controller.start();
    await settled();
    window.send("/agents\r");
    expect(overlay(window)).toBeUndefined();
    expect(window.store.get().notes.at(-1)?.text).toContain("There are no agents yet");
  });
});

describe("an agent in view", () => {
  async function opened(background = false): Promise<TestWindow> {
    const window = await working(background);
    for (const key of [CTRL_X_A, DOWN, "\r"]) window.send(key);
    expect(inView(window)).toBe("agent-1");
    return window;
  }

  it("gets what is typed, and each agent keeps its own draft", async () => {
    const window = await opened();
    window.send("look in src");
    window.send(ESCAPE);
    expect(inView(window)).toBe("main");
    expect(window.store.get().composer.buffer.text).toBe("");
    window.send("half a thought");
    for (const key of [CTRL_X_A, DOWN, "\r"]) window.send(key);
    expect(window.store.get().composer.buffer.text).toBe("look in src");
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("session/prompt")).toMatchObject([
      { prompt: [{ text: "go" }] },
      { agentId: "agent-1", prompt: [{ text: "look in src" }], delivery: "steer" },
    ]);
    window.send(ESCAPE);
    expect(window.store.get().composer.buffer.text).toBe("half a thought");
  });

  it("that takes no message gives its text back where it was typed", async () => {
    const window = await opened();
    const answered = Promise.withResolvers<void>();
    window.server.answers["session/prompt"] = async () => {
      await answered.promise;
      throw new Error("agent-1 has ended: found");
    };
    window.send("and then?\r");
    window.send(ESCAPE);
    window.send("for main");
    answered.resolve();
    await settled();
    expect(window.store.get().composer.buffer.text).toBe("for main");
    expect(window.store.get().notes.at(-1)?.text).toContain("agent-1 has ended: found");
    for (const key of [CTRL_X_A, DOWN, "\r"]) window.send(key);
    expect(window.store.get().composer.buffer.text).toBe("and then?");
  });

  it("is left for the main agent with Esc, which does not stop anything", async () => {
    const window = await opened();
    window.send(ESCAPE);
    await settled();
    expect([inView(window), cancels(window)]).toEqual(["main", []]);
    window.send(ESCAPE);
    await settled();
    expect(cancels(window)).toEqual([{ sessionId: "s1" }]);
  });

  it("is stopped by Ctrl+C pressed twice, which does not leave the window", async () => {
    const window = await opened();
    window.send(CTRL_C);
    expect([cancels(window), window.store.get().stopArmed]).toEqual([[], true]);
    window.send("x");
    expect(window.store.get().stopArmed).toBe(false);
    window.send(CTRL_C);
    window.send(CTRL_C);
    await settled();
    expect(cancels(window)).toEqual([{ sessionId: "s1", agentId: "agent-1" }]);
    expect(window.left).toEqual([]);
  });

  it("that has ended leaves the turn of the main agent alone at Ctrl+C, which empties the input and then leads back", async () => {
    const window = await opened();
    fact(window, subagent("agent-1", TASK, { state: "cancelled" }));
    window.send("x");
    window.send(CTRL_C);
    expect([inView(window), window.store.get().composer.buffer.text]).toEqual(["agent-1", ""]);
    window.send(CTRL_C);
    await settled();
    expect([inView(window), cancels(window), window.left]).toEqual(["main", [], []]);
    window.send(CTRL_C);
    await settled();
    expect(cancels(window)).toEqual([{ sessionId: "s1" }]);
    expect(window.left).toEqual([]);
  });

  it("is the main one again in another session, on Home, and after a command of the person", async () => {
    const window = await opened();
    window.send("!ls\r");
    await settled();
    expect(inView(window)).toBe("main");
    for (const key of [CTRL_X_A, DOWN, "\r"]) window.send(key);
    window.send("/new\r");
    expect([inView(window), window.store.get().session]).toEqual(["main", undefined]);
  });
});

describe("agents in the background", () => {
  it.each([
    ["Esc", ESCAPE],
    ["Ctrl+C", CTRL_C],
  ])("are stopped by a second %s, while the first stops the turn alone", async (_name, key) => {
    const window = await working(true);
    window.send(key);
    await settled();
    expect(cancels(window)).toHaveLength(1);
    fact(window, { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" });
    expect(window.store.get().stopArmed).toBe(true);
    window.send(key);
    await settled();
    expect(cancels(window)).toEqual([{ sessionId: "s1" }, { sessionId: "s1" }]);
    expect(window.left).toEqual([]);
    window.send(key);
    await settled();
    expect(cancels(window)).toHaveLength(2);
  });

  it("go on after another key, and when some time has passed", async () => {
    const window = await working(true);
    fact(window, { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    window.send(ESCAPE);
    expect([cancels(window), window.store.get().screen]).toEqual([[], "home"]);
    window.send("/history\r");
    const again = await working(true);
    again.send(ESCAPE);
    fact(again, { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" });
    again.clock.advance(6_000);
    again.send(ESCAPE);
    await settled();
    expect(cancels(again)).toHaveLength(1);
  });
});

describe("a question of a subagent", () => {
  const permission = questionOf("agent-2");

  it("leads to its transcript, and is answered there as anywhere", async () => {
    const window = await working();
    const answer = window.server.listeners?.onPermission({ sessionId: "s1", permission }, new AbortController().signal);
    window.send(CTRL_X_A);
    expect([inView(window), overlay(window)]).toEqual(["agent-2", undefined]);
    window.clock.advance(2_000);
    for (const key of "n\r\r") window.send(key);
    expect(await answer).toMatchObject({ optionId: "no" });
    expect(inView(window)).toBe("agent-2");
  });
});
