import { fold, ROOT_AGENT } from "@harness/protocol";
import { call, calling, MemoryLog, MemorySession, memoryTools, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { memoryPages } from "../ports/fact-pages.ts";

const script: Script = (request) => {
  if (request.priority === "subagent") return saying("found");
  if (request.messages.length > 1) return saying("done");
  return calling(
    call("a", "write", { file_path: "x", content: "1" }),
    call("b", "bash", { command: "make" }),
    call("c", "start_subagent", { task: "look" }),
  );
};

/** A whole turn with questions, parallel calls and a subagent. */
async function wholeSession(): Promise<MemorySession> {
  const memory = new MemorySession({ script, tools: memoryTools(), options: { permission_mode: "default" } });
  memory.ports.asker.onPermission = () => ({ outcome: "selected", optionId: "allow_once" });
  await memory.say("go");
  return memory;
}
/** The same with a call that waits for its subagent. */
const awaiting: Script = (request) => {
  if (request.priority === "subagent") return saying("found");
  return request.messages.length > 1 ? saying("done") : calling(call("c", "agent", { task: "look" }));
};
const wholeLog = async () => (await wholeSession()).log.lines;

const reopened = (lines: readonly string[]) => new MemorySession({ script, log: new MemoryLog("s1", "/work", lines) });

describe("a session opened after a crash", () => {
  it("a session opened after a crash at any point is repaired, the same way each time, and goes on", async () => {
    const lines = await wholeLog();
    expect(lines.length).toBeGreaterThan(25);
    for (let end = 0; end <= lines.length; end += 1) {
      const memory = reopened(lines.slice(0, end));
      expect(memory.log.lines.slice(0, end)).toEqual(lines.slice(0, end));
      const { live, folded } = memory.states;
      expect(live).toEqual(folded);
      for (const agent of live.agents.values()) {
        expect(agent.state).toBe("idle");
        expect(agent.run).not.toBe("running");
        for (const item of agent.items) if (item.kind === "tool") expect(item.outcome).toBeDefined();
      }
      expect(live.permissions.size).toBe(0);
      expect(reopened(lines.slice(0, end)).log.lines).toEqual(memory.log.lines);
      expect(reopened(memory.log.lines).log.lines).toEqual(memory.log.lines);
      await memory.say("on");
      const request = memory.provider.requests.at(-1)?.messages ?? [];
      const called = request.flatMap((each) =>
        each.role === "assistant"
          ? each.parts.flatMap((part) => (part.type === "tool_call" ? [part.toolCallId] : []))
          : [],
      );
      const answered = request.flatMap((each) => (each.role === "tool" ? [each.toolCallId] : []));
      expect(answered).toEqual(called);
      expect(memory.states.live).toEqual(memory.states.folded);
    }
  });

  it("a session opened after a crash states what is known of each call, and runs none again", async () => {
    const lines = await wholeLog();
    const cutAfter = (wanted: string) => lines.slice(0, lines.findIndex((line) => line.includes(wanted)) + 1);
    const outcomesOf = (memory: MemorySession) =>
      Object.fromEntries(
        memory
          .facts("tool_call_update")
          .flatMap((each) => (each.outcome ? [[each.toolCallId, each.outcome.text]] : [])),
      );
    const started = reopened(cutAfter('"toolCallId":"a","status":"in_progress"'));
    expect(outcomesOf(started)).toMatchObject({
      a: expect.stringContaining("unknown whether it ran"),
      b: expect.stringContaining("did not run"),
    });
    const asked = reopened(cutAfter('"permission_requested"'));
    expect(outcomesOf(asked).a).toContain("did not run");
    expect(asked.facts("permission_resolved")).toMatchObject([
      { outcome: { outcome: "cancelled" }, reason: "interrupted" },
    ]);
    const saidOnly = reopened(cutAfter('"agent_message"'));
    expect(Object.keys(outcomesOf(saidOnly))).toEqual(["a", "b", "c"]);
    expect(saidOnly.facts("state_update").at(-1)).toMatchObject({ state: "idle", stopReason: "interrupted" });
  });

  it("a session opened after a crash at any point tells the model exactly once how its subagent ended", async () => {
    const lines = await wholeLog();
    const begun = lines.findIndex((line) => line.includes('"subagent_update"') && line.includes('"running"')) + 1;
    for (let end = begun; end <= lines.length; end += 1) {
      const memory = reopened(lines.slice(0, end));
      await memory.say("on");
      const said = memory.provider.requests.at(-1)?.messages.map((each) => JSON.stringify(each)) ?? [];
      const ends = said.filter((each) => each.includes("SUBAGENT agent-1 "));
      expect(ends, `after line ${end}`).toHaveLength(1);
      const wasDone = lines
        .slice(0, end)
        .some((line) => line.includes('"agentId":"agent-1"') && line.includes("end_turn"));
      expect(ends[0]).toContain(wasDone ? "COMPLETED: found" : "FAILED: interrupted");
      expect(memory.session.agents()[0]?.unread).toBeUndefined();
    }
  });

  it("a session opened after a crash at any point tells the model exactly once what a subagent found that a call waited for", async () => {
    const whole = new MemorySession({ script: awaiting });
    await whole.say("go");
    const { lines } = whole.log;
    const ended = lines.findIndex((line) => line.includes('"agentId":"agent-1"') && line.includes("end_turn")) + 1;
    for (let end = ended; end <= lines.length; end += 1) {
      const memory = new MemorySession({ script: awaiting, log: new MemoryLog("s1", "/work", lines.slice(0, end)) });
      await memory.say("on");
      const said = memory.provider.requests.at(-1)?.messages.map((each) => JSON.stringify(each)) ?? [];
      expect(
        said.filter((each) => each.includes("found")),
        `after line ${end}`,
      ).toHaveLength(1);
      expect(memory.session.agents()[0]?.unread).toBeUndefined();
    }
  });

  it("rows 31 and 32 for subagents: a session opened after a crash says of a subagent's call what is known, and runs it never again", async () => {
    const working: Script = (request) => {
      if (request.priority === "subagent")
        return request.messages.length > 1
          ? saying("made")
          : calling(call("w", "write", { file_path: "x", content: "1" }));
      return request.messages.length > 1 ? saying("done") : calling(call("c", "start_subagent", { task: "make" }));
    };
    const whole = new MemorySession({ script: working, tools: memoryTools() });
    await whole.say("go");
    const { lines } = whole.log;
    const at = (wanted: string) =>
      lines.findIndex((line) => line.includes('"agentId":"agent-1"') && line.includes(wanted)) + 1;
    const [begun, started, ended] = [at('"toolCallId":"w"'), at('"status":"in_progress"'), at('"status":"completed"')];
    for (let end = begun; end <= lines.length; end += 1) {
      const tools = memoryTools();
      const memory = new MemorySession({
        script: working,
        tools,
        log: new MemoryLog("s1", "/work", lines.slice(0, end)),
      });
      await memory.say("on");
      const outcome = memory.facts("tool_call_update").findLast(({ toolCallId }) => toolCallId === "w")?.outcome;
      const known = end < started ? "did not run" : end < ended ? "unknown whether it ran" : "";
      expect(outcome?.text, `after line ${end}`).toContain(known);
      expect(memory.facts("tool_call_update").filter((each) => each.toolCallId === "w" && each.outcome)).toHaveLength(
        1,
      );
      const ofCall = memory.facts("tool_call_update").filter(({ toolCallId }) => toolCallId === "w");
      expect(ofCall.filter(({ status }) => status === "in_progress").length).toBeLessThanOrEqual(1);
    }
  });

  it("a session opened after a crash reports a lost subagent to its parent", async () => {
    const lines = await wholeLog();
    const end = lines.findIndex((line) => line.includes('"subagent_update"') && line.includes('"running"')) + 3;
    const memory = reopened(lines.slice(0, end));
    expect(memory.facts("subagent_update").at(-1)).toMatchObject({ childAgentId: "agent-1", state: "interrupted" });
    expect(memory.session.agents()).toMatchObject([
      { agentId: "main", unread: 1 },
      { agentId: "agent-1", state: "interrupted" },
    ]);
    await memory.say("on");
    expect(memory.facts("user_message").at(-1)).toMatchObject({ origin: "subagent", fromAgentId: "agent-1" });
  });

  it("a session opened after a crash that ended well gets nothing added", async () => {
    const lines = await wholeLog();
    expect(reopened(lines).log.lines).toEqual(lines);
  });

  it("a session with a hole in its log keeps what is left", async () => {
    const memory = new MemorySession({ script: [saying("1"), saying("2")] });
    await memory.say("a");
    await memory.say("b");
    const facts = memory.log.facts.filter((each) => each.seq !== 4);
    const log = new MemoryLog("s1", "/work", memory.log.lines);
    const loaded = { header: log.header, ...memoryPages(() => facts) };
    const again = new MemorySession({ script: [saying("3")], log, options: { loaded } });
    await again.say("c");
    const said = again.session.state.agents.get(ROOT_AGENT)?.items.filter(({ kind }) => kind !== "turn");
    expect(said?.map((each) => each.kind)).toEqual(["user", "user", "agent", "user", "agent"]);
  });

  it("a session opened after a crash sends the model what it would have been sent without the restart", async () => {
    const original = await wholeSession();
    const memory = reopened(original.log.lines);
    await memory.say("on");
    await original.say("on");
    expect(memory.provider.requests).toHaveLength(1);
    expect(JSON.stringify(memory.provider.requests[0])).toBe(JSON.stringify(original.provider.requests.at(-1)));
    expect(fold("s1", memory.log.facts).seq).toBe(memory.log.lines.length);
  });
});
