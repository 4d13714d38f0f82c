import {
  call,
  calling,
  commandTool,
  MemoryLog,
  MemorySession,
  memoryTools,
  probeTool,
  type Script,
  type ScriptedEvent,
  saying,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../ports/session-ports.ts";

const forever = new Promise<void>(() => undefined);
const waits: ScriptedEvent = { type: "until", promise: forever };
const ok = (text: string) => ({ status: "ok" as const, text, blocks: [] });
const endOf = (memory: MemorySession) => memory.facts("state_update").at(-1);

/** Invariants of every log. */
function expectWhole(memory: MemorySession): void {
  const { live, folded, client } = memory.states;
  expect(live).toEqual(folded);
  expect(client).toEqual(folded);
  const called = memory
    .facts("agent_message")
    .flatMap(({ parts, stop }) =>
      stop === "cut" ? [] : parts.flatMap((part) => (part.type === "tool_call" ? [part.toolCallId] : [])),
    );
  const answered = memory.facts("tool_call_update").flatMap(({ toolCallId, outcome }) => (outcome ? [toolCallId] : []));
  expect(answered.toSorted()).toEqual(called.toSorted());
  expect(live.permissions.size).toBe(0);
  for (const agent of live.agents.values()) expect(agent).toMatchObject({ state: "idle" });
}

describe("a cancel", () => {
  it("a cancel while nothing runs says so", () => {
    expect(new MemorySession({ script: [] }).session.cancel()).toBe(false);
  });

  it("a cancel before the first request ends the turn", async () => {
    const memory = new MemorySession({ script: [saying("never")] });
    memory.prompt("go");
    expect(memory.session.cancel()).toBe(true);
    expect(memory.session.cancel()).toBe(false);
    await memory.session.idle();
    expect(memory.provider.requests).toEqual([]);
    expect(endOf(memory)).toMatchObject({ state: "idle", stopReason: "cancelled" });
    expectWhole(memory);
  });

  it("a cancel while a reply streams keeps its text, for the model too", async () => {
    const memory = new MemorySession({ script: [[{ type: "text", text: "half a" }, waits], saying("fine")] });
    memory.prompt("go");
    await memory.ports.events.until((event) => "delta" in event);
    memory.session.cancel();
    await memory.session.idle();
    expect(endOf(memory)).toMatchObject({ state: "idle", stopReason: "cancelled" });
    expect(memory.facts("agent_message")).toMatchObject([{ stop: "cut", parts: [{ type: "text", text: "half a" }] }]);
    expectWhole(memory);
    await memory.say("on");
    expect(memory.provider.requests[1]?.messages.map((each) => each.role)).toEqual(["user", "assistant", "user"]);
    expectWhole(memory);
  });

  it("a cancel waits only a while for a provider that does not listen", async () => {
    const memory = new MemorySession({ script: [] });
    memory.provider.stream = async function* () {
      yield { type: "text", text: "half" };
      await forever;
    };
    memory.prompt("go");
    await memory.ports.events.until((event) => "delta" in event);
    memory.session.cancel();
    await Promise.resolve();
    memory.ports.clock.advance(60_000);
    await memory.session.idle();
    expect(memory.facts("agent_message")).toMatchObject([{ stop: "cut", parts: [{ text: "half" }] }]);
    expectWhole(memory);
  });

  it("a cancel while a retry waits ends the turn", async () => {
    const failure = { kind: "rateLimit" as const, message: "slow down" };
    const memory = new MemorySession({
      script: [
        [{ type: "text", text: "x" }, { type: "retry", attempt: 1, maxAttempts: 5, delayMs: 9_000, failure }, waits],
      ],
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "retry");
    memory.session.cancel();
    await memory.session.idle();
    expect(endOf(memory)).toMatchObject({ stopReason: "cancelled" });
    expect(memory.facts("agent_message")).toEqual([]);
    expectWhole(memory);
  });

  it("a cancel while tools run stops them, and each call is answered", async () => {
    const bash = commandTool(async (_args, { signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      return ok("first lines");
    });
    const memory = new MemorySession({
      script: [calling(call("a", "bash", { command: "make" }), call("b", "bash", { command: "make test" }))],
      tools: [bash],
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.status === "in_progress");
    memory.session.cancel();
    await memory.session.idle();
    const outcomes = memory
      .facts("tool_call_update")
      .flatMap((each) => (each.outcome ? [[each.toolCallId, each.outcome]] : []));
    expect(Object.fromEntries(outcomes)).toMatchObject({
      a: { status: "cancelled", text: expect.stringContaining("first lines") },
      b: { status: "cancelled", text: expect.stringContaining("before it ran") },
    });
    expectWhole(memory);
  });

  it("a cancel waits only a while for a tool that does not listen", async () => {
    const memory = new MemorySession({
      script: [calling(call("a", "probe", {}))],
      tools: [
        probeTool("probe", async () => {
          await forever;
          return ok("never");
        }),
      ],
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.status === "in_progress");
    memory.session.cancel();
    await Promise.resolve();
    memory.ports.clock.advance(60_000);
    await memory.session.idle();
    expectWhole(memory);
  });

  it("a cancel while a permission is asked withdraws the question", async () => {
    const memory = new MemorySession({
      script: [
        calling(
          call("a", "write", { file_path: "x", content: "" }),
          call("b", "write", { file_path: "y", content: "" }),
        ),
      ],
      options: { permission_mode: "default" },
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    expect(memory.session.state.agents.get("main")?.state).toBe("requires_action");
    memory.session.cancel();
    await memory.session.idle();
    expect(memory.facts("permission_resolved")).toMatchObject([{ outcome: { outcome: "cancelled" } }]);
    expect(memory.facts("permission_requested")).toHaveLength(1);
    expectWhole(memory);
  });

  it("a cancel of one call lets the turn go on", async () => {
    const bash = commandTool(async (_args, { signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      return ok("");
    });
    const memory = new MemorySession({
      script: [calling(call("a", "bash", { command: "make" })), saying("fine")],
      tools: [bash],
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.status === "in_progress");
    expect(memory.session.cancelToolCall("b")).toBe(false);
    expect(memory.session.cancelToolCall("a")).toBe(true);
    expect(memory.session.cancelToolCall("a")).toBe(false);
    await memory.session.idle();
    expect(memory.provider.requests[1]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining("the person stopped it"),
      isError: true,
    });
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expectWhole(memory);
  });

  it("a cancel of one call whose question is open, or that waits behind another, lets the turn go on", async () => {
    const memory = new MemorySession({
      script: [
        calling(
          call("a", "write", { file_path: "x", content: "1" }),
          call("b", "write", { file_path: "x", content: "2" }),
        ),
        saying("fine"),
      ],
      options: { permission_mode: "default" },
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    expect(memory.session.cancelToolCall("b")).toBe(true);
    expect(memory.session.cancelToolCall("a")).toBe(true);
    await memory.session.idle();
    expect(memory.facts("permission_requested")).toHaveLength(1);
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expectWhole(memory);
  });

  it("a cancel while the conversation is compacted changes nothing of it", async () => {
    const chat: Script = (request) => (request.priority === "background" ? [waits] : saying("ok"));
    const memory = new MemorySession({ script: chat });
    for (let n = 0; n < 7; n += 1) await memory.say(`${n}`);
    const compacted = memory.session.compact();
    await memory.untilRequests(8);
    expect(memory.session.cancel()).toBe(true);
    expect(await compacted).toEqual({ problem: expect.stringContaining("cancelled") });
    expect(memory.facts("compaction_update")).toEqual([]);
    await memory.say("on");
    expect(memory.provider.requests.at(-1)?.messages).toHaveLength(15);
    expectWhole(memory);
  });
});

describe("cancel at every event", () => {
  const script: Script = (request, n) => {
    if (request.priority === "subagent")
      return request.messages.length > 1 ? saying("found it") : calling(call(`r${n}`, "read", { file_path: "x" }));
    if (request.messages.length === 1) {
      return calling(
        { type: "text", text: "I look." },
        call("a", "write", { file_path: "x", content: "1" }),
        call("b", "bash", { command: "make" }),
        call("c", "start_subagent", { task: "look" }),
      );
    }
    return saying("done");
  };

  function start(onEvent: (memory: MemorySession, event: SessionEvent) => void): MemorySession {
    const memory: MemorySession = new MemorySession({
      script,
      tools: memoryTools(),
      options: { permission_mode: "default" },
    });
    memory.ports.asker.onPermission = () => ({ outcome: "selected", optionId: "allow_once" });
    const { events } = memory.ports;
    const take = events.take.bind(events);
    events.take = (event) => {
      take(event);
      onEvent(memory, event);
    };
    return memory;
  }

  it("a cancel at any event leaves a log in which every call is answered once, and a session that goes on", async () => {
    const whole = start(() => undefined);
    await whole.say("go");
    const count = whole.ports.events.all.length;
    expect(count).toBeGreaterThan(35);
    expectWhole(whole);
    for (let at = 1; at <= count; at += 1) {
      let seen = 0;
      const memory = start((self) => {
        seen += 1;
        if (seen === at) self.session.cancel();
      });
      await memory.say("go");
      expectWhole(memory);
      await memory.say("on");
      expectWhole(memory);
      expect(endOf(memory)).toMatchObject({ state: "idle", stopReason: "end_turn" });
      expect(memory.ports.reports).toEqual([]);
      const again = new MemorySession({ script, log: new MemoryLog("s1", "/work", memory.log.lines) });
      expect(again.log.lines).toEqual(memory.log.lines);
    }
  });
});
