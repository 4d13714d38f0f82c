import { call, calling, MemoryLog, MemorySession, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { byTask, expectSettled, expectWhole, gate, heard, start, untilWaiting } from "../../test/agent-script.ts";

const background = { background: true };
const untilIdle = (memory: MemorySession) =>
  memory.untilFact(
    (fact, agentId) => agentId === "main" && fact.sessionUpdate === "state_update" && fact.state === "idle",
  );
const untilEnd = (memory: MemorySession, childAgentId: string) =>
  memory.untilFact(
    (fact) =>
      fact.sessionUpdate === "subagent_update" && fact.childAgentId === childAgentId && fact.state !== "running",
  );

/** A session whose turn is over while `slow` still runs in the background. */
async function outlived() {
  const held = gate();
  const script = byTask({
    go: [calling(start("a", "slow", background)), saying("I go on."), saying("I read it.")],
    slow: [[held.until, ...saying("found it")]],
  });
  const memory = new MemorySession({ script });
  memory.prompt("go");
  await untilIdle(memory);
  return { memory, held, script };
}

describe("a subagent in the background", () => {
  it("a subagent in the background outlives the turn; its end is shown, and its result comes with the next message", async () => {
    const { memory, held } = await outlived();
    expect(memory.session.agents()).toMatchObject([
      { agentId: "main", state: "idle" },
      { agentId: "agent-1", state: "running", background: true },
    ]);
    held.open();
    await untilEnd(memory, "agent-1");
    await memory.session.idle();
    expect(memory.facts("notice")).toMatchObject([{ severity: "info", title: "agent-1 is done." }]);
    expect(memory.session.agents()[0]).toMatchObject({ unread: 1 });
    await memory.say("and?");
    expect(heard(memory, "main")).toEqual(["go", "and?", "SUBAGENT agent-1 COMPLETED: found it"]);
    expect(JSON.stringify(memory.provider.requests.at(-1)?.messages)).toContain("found it");
    expectWhole(memory);
  });

  it("a subagent in the background survives the cancel of its turn, and a second cancel stops it", async () => {
    const held = gate();
    const memory = new MemorySession({
      script: byTask({
        go: [calling(start("a", "slow", background), start("b", "other")), saying("I wait."), saying("ok")],
        slow: [[held.until]],
        other: [[held.until]],
      }),
    });
    memory.prompt("go");
    await untilWaiting(memory);
    expect(memory.session.cancel()).toBe(true);
    await untilEnd(memory, "agent-2");
    await untilIdle(memory);
    expect(memory.session.agents().map(({ state }) => state)).toEqual(["idle", "running", "cancelled"]);
    expect(memory.session.cancel()).toBe(true);
    await memory.session.idle();
    expect(memory.session.agents().map(({ state }) => state)).toEqual(["idle", "cancelled", "cancelled"]);
    expect(memory.session.cancel()).toBe(false);
    await memory.say("on");
    expect(heard(memory, "main").at(-1)).toBe("SUBAGENT agent-1 FAILED: it was cancelled.");
    expectWhole(memory);
  });

  it("a subagent in the background can be stopped alone, with those that it has started", async () => {
    const held = gate();
    const memory = new MemorySession({
      script: byTask({
        go: [calling(start("a", "slow", background)), saying("I go on.")],
        slow: [calling(start("b", "deep", background)), saying("I wait.")],
        deep: [[held.until]],
      }),
    });
    memory.prompt("go");
    await untilWaiting(memory, "agent-1");
    // A subagent waits for all of its own: its end is the end of its work.
    expect(memory.session.agents()[2]).toMatchObject({ agentId: "agent-2", state: "running" });
    expect(memory.session.agents()[2]?.background).toBeUndefined();
    expect(memory.session.cancel("agent-1")).toBe(true);
    await memory.session.idle();
    expect(memory.session.agents().map(({ state }) => state)).toEqual(["idle", "cancelled", "cancelled"]);
  });

  it("a subagent in the background wakes its parent, which waits for others", async () => {
    const gates = { slow: gate(), other: gate() };
    const memory = new MemorySession({
      script: byTask({
        go: [calling(start("a", "slow", background), start("b", "other")), saying("I wait."), saying("one is there")],
        slow: [[gates.slow.until, ...saying("early")]],
        other: [[gates.other.until, ...saying("late")]],
      }),
    });
    memory.prompt("go");
    await untilWaiting(memory);
    gates.slow.open();
    await memory.untilFact((fact, agentId) => agentId === "main" && JSON.stringify(fact).includes("one is there"));
    expect(heard(memory, "main")).toEqual(["go", "SUBAGENT agent-1 COMPLETED: early"]);
    gates.other.open();
    await memory.session.idle();
    expect(heard(memory, "main").at(-1)).toBe("SUBAGENT agent-2 COMPLETED: late");
    expect(memory.facts("notice")).toEqual([]);
    expectWhole(memory);
  });

  it("a subagent in the background ends with the session, and the model learns of it when the session is opened again", async () => {
    const { memory, script } = await outlived();
    await memory.session.close(1_000);
    expect(memory.session.agents()[1]).toMatchObject({ state: "cancelled" });
    const again = new MemorySession({ script, log: new MemoryLog("s1", "/work", memory.log.lines) });
    await again.say("and?");
    expect(heard(again, "main").at(-1)).toBe("SUBAGENT agent-1 FAILED: it was cancelled.");
    expectSettled(again);
  });

  it("a subagent in the background that a crash ends is reported in the next turn", async () => {
    const { memory, script } = await outlived();
    const again = new MemorySession({ script, log: new MemoryLog("s1", "/work", memory.log.lines) });
    expect(again.session.agents()[1]).toMatchObject({ state: "interrupted" });
    await again.say("and?");
    expect(heard(again, "main").at(-1)).toBe("SUBAGENT agent-1 FAILED: interrupted when the program ended.");
    expectSettled(again);
  });

  it("a subagent in the background keeps an undo from being mixed with its changes", async () => {
    const { memory, held } = await outlived();
    expect(await memory.session.undo()).toEqual({
      files: [],
      text: "agent-1 is running and may change files. Wait for it, or stop it first.",
    });
    held.open();
    await memory.session.idle();
    expect((await memory.session.undo()).text).not.toContain("agent-1");
  });

  it("a subagent in the background stops when the log can no longer be written, and nothing of it is stored later", async () => {
    const { memory, held } = await outlived();
    memory.log.failure = () => "The disk is full.";
    held.open();
    await memory.session.idle();
    memory.log.failure = () => undefined;
    await memory.say("on");
    expect(heard(memory, "main").at(-1)).toContain("SUBAGENT agent-1 FAILED: interrupted");
    expect(memory.states.live.agents.get("agent-1")?.run).toBe("interrupted");
  });

  it("a subagent in the background counts among the eight", async () => {
    const held = gate();
    const memory = new MemorySession({
      script: byTask({
        go: [
          calling(...Array.from({ length: 8 }, (_, n) => start(`c${n}`, "slow", background))),
          saying("I go on."),
          calling(start("one-more", "slow"), call("r", "read", { file_path: "x" })),
          saying("done"),
        ],
        slow: [[held.until, ...saying("ok")]],
      }),
    });
    memory.prompt("go");
    await untilIdle(memory);
    memory.prompt("more", "queue");
    await memory.untilFact(
      (fact) => fact.sessionUpdate === "tool_call_update" && fact.toolCallId === "one-more" && !!fact.outcome,
    );
    expect(JSON.stringify(memory.facts("tool_call_update").at(-1))).toContain("8 subagents are already running");
    held.open();
    await memory.session.idle();
  });
});
