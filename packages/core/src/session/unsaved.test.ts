import { call, calling, MemoryLog, MemorySession, memoryTools, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const script: Script = (request) => {
  if (request.priority === "subagent") return saying("found");
  if (request.messages.length > 1) return saying("done");
  return calling(
    call("a", "write", { file_path: "x", content: "1" }),
    call("b", "bash", { command: "make" }),
    call("c", "start_subagent", { task: "look" }),
  );
};

function started(): MemorySession {
  const memory = new MemorySession({ script, tools: memoryTools(), options: { permission_mode: "default" } });
  memory.ports.asker.onPermission = () => ({ outcome: "selected", optionId: "allow_once" });
  return memory;
}

function expectOneResultEach(log: MemoryLog): void {
  const ids = log.facts.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call_update" && update.outcome ? [update.toolCallId] : [],
  );
  expect(ids).toEqual([...new Set(ids)]);
}

const unstoredOf = (memory: MemorySession) =>
  memory.ports.events.all.flatMap((event) => ("unstored" in event ? [event.unstored] : []));

describe("a log that cannot be written", () => {
  it("a log that cannot be written at any append stops the turn, and a later prompt goes on from there", async () => {
    const whole = started();
    await whole.say("go");
    const { attempts } = whole.log;
    expect(attempts).toBeGreaterThan(25);
    for (let at = 1; at <= attempts; at += 1) {
      const memory = started();
      memory.log.failure = (attempt) => (attempt === at ? "the disk is full" : undefined);
      await memory.say("go");
      expectOneResultEach(memory.log);
      const notices = unstoredOf(memory).filter((each) => each.sessionUpdate === "notice");
      expect(notices).toMatchObject([
        {
          severity: "error",
          title: "This session can no longer be saved.",
          description: expect.stringMatching(/^the disk is full/),
        },
      ]);
      const [end] = unstoredOf(memory).filter((each) => each.sessionUpdate === "state_update");
      if (end) expect(end).toMatchObject({ error: { kind: "storage_failed" } });
      expect(memory.session.state.agents.get("main")?.state).toBe("idle");
      const left = new MemorySession({ script, log: new MemoryLog("s1", "/work", memory.log.lines) });
      expectOneResultEach(left.log);
      expect(left.states.live).toEqual(left.states.folded);
      await memory.say("again");
      expect(memory.facts("notice").at(-1)).toMatchObject({ title: "This session can be saved again." });
      expectOneResultEach(memory.log);
      const { folded } = memory.states;
      for (const agent of folded.agents.values()) {
        expect(agent.state).toBe("idle");
        for (const item of agent.items) if (item.kind === "tool") expect(item.outcome).toBeDefined();
      }
      expect(folded.agents.get("main")).toMatchObject({ stopReason: "end_turn" });
      expect(memory.ports.reports).toEqual([]);
    }
  });

  it("a log that cannot be written from any append on leaves a log that is put in order when it is opened again", async () => {
    const whole = started();
    await whole.say("go");
    for (let at = 1; at <= whole.log.attempts; at += 1) {
      const memory = started();
      memory.log.failure = (attempt) => (attempt >= at ? "the disk is full" : undefined);
      await memory.say("go");
      expect(memory.log.lines).toHaveLength(at - 1);
      expect(memory.prompt("more")).toEqual({ conflict: expect.stringContaining("the disk is full"), unsaved: true });
      expect(unstoredOf(memory).filter((each) => each.sessionUpdate === "notice")).toHaveLength(1);
      const again = new MemorySession({ script, log: new MemoryLog("s1", "/work", memory.log.lines) });
      expectOneResultEach(again.log);
      await again.say("again");
      expect(again.facts("state_update").at(-1)).toMatchObject({ state: "idle", stopReason: "end_turn" });
      expect(again.states.live).toEqual(again.states.folded);
    }
  });

  it("a log that cannot be written does not run a call whose start could not be stored", async () => {
    const files = new Map<string, string>();
    const memory = new MemorySession({
      script: [calling(call("a", "write", { file_path: "x", content: "1" }))],
      tools: memoryTools(files),
    });
    memory.log.failure = (_attempt, { update }) =>
      update.sessionUpdate === "tool_call_update" && update.status === "in_progress" ? "full" : undefined;
    await memory.say("go");
    expect(files.size).toBe(0);
    expect(unstoredOf(memory).at(-1)).toMatchObject({
      sessionUpdate: "state_update",
      state: "idle",
      stopReason: "error",
    });
  });

  it("a log that cannot be written is reported once, and prompts are refused with a reason until it can be written again", async () => {
    const memory = new MemorySession({ script: [saying("1"), saying("2")] });
    let full = true;
    memory.log.failure = () => (full ? "no space left on the device" : undefined);
    const refused = { conflict: expect.stringContaining("no space left on the device"), unsaved: true };
    expect(memory.prompt("a")).toEqual(refused);
    expect(memory.prompt("b")).toEqual(refused);
    expect(memory.session.unqueue("p1")).toBe(false);
    expect(await memory.session.compact()).toEqual({
      problem: expect.stringMatching(/^Nothing was done, because this session cannot be saved\. /),
      unsaved: true,
    });
    const unsaved = { files: [], text: expect.stringContaining("Nothing was done"), unsaved: true };
    expect(await memory.session.undo()).toEqual(unsaved);
    expect(unstoredOf(memory)).toHaveLength(1);
    memory.session.setTitle("Name");
    expect(memory.session.state.title).toBe("Name");
    full = false;
    expect(memory.session.prompt("p1", [{ type: "text", text: "a" }], "start")).toMatchObject({
      disposition: "started",
    });
    await memory.session.idle();
    expect(memory.facts("notice")).toMatchObject([{ title: "This session can be saved again." }]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
  });

  it("a log that cannot be written does not keep a stored session from being read", () => {
    const log = new MemoryLog("s1", "/work");
    log.append({
      agentId: "main",
      turnId: "t",
      at: "2026-11-21T00:00:00.000Z",
      update: { sessionUpdate: "state_update", state: "running" },
    });
    log.failure = () => "read-only";
    const memory = new MemorySession({ script: [], log });
    expect(memory.session.state.agents.get("main")?.state).toBe("running");
    expect(memory.prompt("a")).toEqual({ conflict: expect.stringContaining("read-only"), unsaved: true });
  });

  it("a bug of the log is a failure like any other", async () => {
    const memory = new MemorySession({ script: [saying("1")] });
    memory.log.append = () => {
      throw new TypeError("detail");
    };
    expect(memory.prompt("a")).toEqual({
      conflict: expect.stringContaining("failed for an unknown reason"),
      unsaved: true,
    });
    expect(memory.ports.reports).toMatchObject([{ where: "log.append" }]);
  });
});
