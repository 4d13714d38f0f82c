import { describe, expect, it } from "vitest";
import { type Delta, type Fact, SessionUpdate, type StoredFact } from "../vocabulary/updates.ts";
import { applyUpdate, emptySession, fold } from "./session-state.ts";

const at = "2026-11-21T10:00:00.000Z";

function stored(...updates: (Fact | [agentId: string, fact: Fact])[]): StoredFact[] {
  return updates.map((each, n) => {
    const [agentId, update] = Array.isArray(each) ? each : ["main", each];
    return { seq: n + 1, at, agentId, turnId: "t1", update };
  });
}

const chunk = (text: string, offset: number, messageId = "m2"): SessionUpdate => {
  const update: Delta = { sessionUpdate: "agent_message_chunk", messageId, offset, text };
  return { sessionId: "s", agentId: "main", turnId: "t1", update };
};

const user: Fact = {
  sessionUpdate: "user_message",
  messageId: "m1",
  content: [{ type: "text", text: "hi" }],
  origin: "user",
};
const running: Fact = { sessionUpdate: "state_update", state: "running" };
const idle: Fact = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
const reply: Fact = {
  sessionUpdate: "agent_message",
  messageId: "m2",
  parts: [{ type: "text", text: "Hello" }],
  stop: "end",
  usage: { inputTokens: 5 },
  provider: "p",
  model: "m",
};
const call = (status: "pending" | "in_progress" | "completed", more: object = {}): Fact => ({
  sessionUpdate: "tool_call_update",
  toolCallId: "c1",
  status,
  ...more,
});
const outcome = { status: "ok" as const, text: "out", blocks: [], durationMs: 3 };

describe("the status of a request", () => {
  const waits = (phase: "queued" | "prefill" | "ended", messageId = "m2", more: object = {}): SessionUpdate => {
    const update: Delta = { sessionUpdate: "request_status", messageId, phase, ...more };
    return { sessionId: "s", agentId: "main", turnId: "t1", update };
  };
  const after = (...updates: SessionUpdate[]) => {
    const state = emptySession("s");
    const applied = updates.map((each) => applyUpdate(state, each));
    return { agent: state.agents.get("main"), applied };
  };

  it("is the latest update, until the first chunk", () => {
    const waiting = after(waits("queued", "m2", { ahead: 1, slots: 2 }), waits("prefill", "m2", { doneTokens: 5 }));
    expect(waiting.agent?.status).toMatchObject({ phase: "prefill", doneTokens: 5 });
    expect(waiting.agent?.status).not.toHaveProperty("ahead");
    const streaming = after(waits("prefill"), chunk("He", 0), waits("prefill"));
    expect(streaming.applied).toEqual(["applied", "applied", "duplicate"]);
    expect(streaming.agent?.status).toBeUndefined();
    expect(streaming.agent?.live?.text).toBe("He");
  });

  it.each<[string, Fact]>([
    ["the whole reply", reply],
    ["the turn's end", idle],
    [
      "a retry",
      {
        sessionUpdate: "retry",
        messageId: "m2",
        attempt: 1,
        maxAttempts: 2,
        delayMs: 1,
        error: { kind: "network", message: "reset" },
      },
    ],
  ])("is gone after %s", (_name, update) => {
    const { agent } = after(waits("queued"), { sessionId: "s", seq: 1, at, agentId: "main", update });
    expect(agent?.status).toBeUndefined();
  });

  it("is removed with the streamed text when its request ends; that of another request stays", () => {
    expect(after(waits("prefill"), waits("ended")).agent?.status).toBeUndefined();
    expect(after(waits("prefill"), waits("ended", "m1")).agent?.status?.phase).toBe("prefill");
    expect(after(chunk("half", 0), waits("ended")).agent?.live).toBeUndefined();
  });

  it("of the next request replaces the streamed text of the last one", () => {
    const { agent } = after(chunk("half", 0), waits("queued", "m3"));
    expect(agent?.live).toBeUndefined();
    expect(agent?.status?.messageId).toBe("m3");
  });
});

describe("fold", () => {
  it("keeps a repair as an item after the reply", () => {
    const detail = "`Read_File` was taken as `read`.";
    const repair: Fact = { sessionUpdate: "repair", messageId: "m2", what: "tool_name", toolCallId: "c1", detail };
    const items = fold("s", stored(user, reply, repair)).agents.get("main")?.items;
    expect(items?.at(-1)).toEqual({
      kind: "repair",
      id: "r3",
      messageId: "m2",
      what: "tool_name",
      toolCallId: "c1",
      detail,
      at,
    });
  });

  it("adds up the cost of all agents, including summaries, and keeps the last prefix report", () => {
    const cost = (usd: number, unpricedRequests = 0) => ({ usd, unpricedRequests });
    const prefix = { kept: 10, of: 20, break: { section: "tools" as const, offset: 1, cause: "c" } };
    const summary: Fact = {
      sessionUpdate: "compaction_update",
      compactionId: "k1",
      reason: "auto",
      summary: "s",
      keepFromSeq: 2,
      tokensBefore: 9,
      tokensAfter: 1,
      usage: { inputTokens: 100 },
      cost: cost(0.5),
    };
    const state = fold(
      "s",
      stored(user, { ...reply, cost: cost(0.25), prefix }, ["a1", { ...reply, cost: cost(0, 1) }], summary),
    );
    expect(state.cost).toEqual(cost(0.75, 1));
    expect(state.usage).toEqual({ inputTokens: 110 });
    expect(state.requests).toBe(3);
    expect(state.agents.get("main")?.prefix).toEqual(prefix);
    expect(state.agents.get("a1")?.prefix).toBeUndefined();
  });

  it("counts a fact of an older version without a cost as unknown, not as free", () => {
    const state = fold("s", stored(user, reply, { ...reply, messageId: "m3" }));
    expect(state.cost).toEqual({ usd: 0, unpricedRequests: 2 });
  });

  it("adds up the cost of failed requests", () => {
    const spent = { usage: { inputTokens: 7 }, cost: { usd: 0.5, unpricedRequests: 0 }, provider: "p", model: "m" };
    const notice: Fact = { sessionUpdate: "notice", severity: "warning", title: "No summary." };
    const error = { kind: "network" as const, message: "gone" };
    const retry: Fact = { sessionUpdate: "retry", messageId: "m2", attempt: 2, maxAttempts: 5, delayMs: 10, error };
    const lost = { ...retry, cost: { usd: 0, unpricedRequests: 1 } };
    const state = fold("s", stored(user, { ...notice, ...spent }, notice, retry, lost));
    expect(state).toMatchObject({ requests: 2, usage: { inputTokens: 7 }, cost: { usd: 0.5, unpricedRequests: 1 } });
  });

  it("counts an empty reply and does not show it", () => {
    const state = fold("s", stored(user, { ...reply, parts: [], cost: { usd: 1, unpricedRequests: 0 } }));
    expect(state.agents.get("main")?.items).toHaveLength(1);
    expect(state.cost.usd).toBe(1);
  });

  it("builds a transcript from facts", () => {
    const state = fold("s", stored(user, running, reply, idle));
    const agent = state.agents.get("main");
    expect(agent?.items.map((item) => item.kind)).toEqual(["user", "agent", "turn"]);
    expect(agent).toMatchObject({ state: "idle", stopReason: "end_turn", usage: { inputTokens: 5 } });
    expect(state.seq).toBe(4);
  });

  it("merges the updates of a call into one item, as a new object each time", () => {
    const facts = stored(user, call("pending", { name: "bash", title: "bash ls" }), call("in_progress"));
    const state = fold("s", facts);
    const before = state.agents.get("main")?.items[1];
    applyUpdate(state, { sessionId: "s", seq: 4, at, agentId: "main", update: call("completed", { outcome }) });
    const items = state.agents.get("main")?.items ?? [];
    expect(items).toHaveLength(2);
    expect(items[1]).toMatchObject({ kind: "tool", name: "bash", title: "bash ls", status: "completed", outcome });
    expect(items[1]).not.toBe(before);
  });

  it("counts a fact of an unknown kind", () => {
    const unknown = { sessionUpdate: "from_the_future", x: 1 } as unknown as Fact;
    expect(fold("s", stored(user, unknown, idle)).seq).toBe(3);
  });

  it("puts a subagent below its parent", () => {
    const child = { sessionUpdate: "subagent_update", childAgentId: "a1", task: "look" } as const;
    const state = fold(
      "s",
      stored(user, { ...child, state: "running" }, ["a1", user], { ...child, state: "completed", output: "found" }),
    );
    expect(state.agents.get("a1")).toMatchObject({ parentAgentId: "main", task: "look", run: "completed" });
    expect(state.agents.get("a1")).toMatchObject({ startedAt: at, endedAt: at });
    expect(state.agents.get("main")?.items).toHaveLength(2);
    expect(state.agents.get("main")?.items[1]).toMatchObject({ kind: "subagent", state: "completed", output: "found" });
  });

  it("keeps the subagents at work in the order of their start, until each ends", () => {
    const started = (childAgentId: string) =>
      ({ sessionUpdate: "subagent_update", childAgentId, task: "look", state: "running" }) as const;
    const state = fold("s", stored(user, started("a1"), started("a2"), ["a2", started("a3")]));
    expect([...state.running]).toEqual(["a1", "a2", "a3"]);
    applyUpdate(state, { sessionId: "s", seq: 5, at, agentId: "main", update: { ...started("a1"), state: "failed" } });
    expect([...state.running]).toEqual(["a2", "a3"]);
  });
});

describe("applyUpdate", () => {
  it("drops a fact that it has seen and reports a gap", () => {
    const state = fold("s", stored(user, running));
    const again = { sessionId: "s", seq: 2, at, agentId: "main", update: running };
    expect(applyUpdate(state, again)).toBe("duplicate");
    expect(applyUpdate(state, { ...again, seq: 4 })).toBe("gap");
    expect(state.seq).toBe(2);
  });

  it("appends to the live text, which the finished reply replaces", () => {
    const state = fold("s", stored(user, running));
    expect(applyUpdate(state, chunk("Hel", 0))).toBe("applied");
    expect(applyUpdate(state, chunk("lo", 3))).toBe("applied");
    expect(state.agents.get("main")?.live?.text).toBe("Hello");
    applyUpdate(state, { sessionId: "s", seq: 3, at, agentId: "main", update: reply });
    expect(state.agents.get("main")?.live).toBeUndefined();
    applyUpdate(state, { sessionId: "s", seq: 4, at, agentId: "main", turnId: "t1", update: idle });
    expect({ ...state, version: 0 }).toEqual({ ...fold("s", stored(user, running, reply, idle)), version: 0 });
  });

  it.each([
    ["a chunk that is known", chunk("Hel", 0), "duplicate", "Hello"],
    ["a snapshot with a new tail", chunk("Hello you", 0), "applied", "Hello you"],
    ["a chunk after a gap", chunk("x", 9), "gap", "Hello"],
  ])("takes %s", (_name, update, answer, text) => {
    const state = fold("s", stored(user, running));
    applyUpdate(state, chunk("Hello", 0));
    expect(applyUpdate(state, update)).toBe(answer);
    expect(state.agents.get("main")?.live?.text).toBe(text);
  });

  it("starts again after a retry", () => {
    const state = fold("s", stored(user, running));
    applyUpdate(state, chunk("wrong", 0));
    const error = { kind: "network" as const, message: "gone" };
    const retry: Fact = { sessionUpdate: "retry", messageId: "m2", attempt: 1, maxAttempts: 5, delayMs: 10, error };
    applyUpdate(state, { sessionId: "s", seq: 3, at, agentId: "main", update: retry });
    expect(state.agents.get("main")?.live).toBeUndefined();
    expect(applyUpdate(state, chunk("right", 0))).toBe("applied");
  });

  it("keeps thinking, text, arguments and output apart", () => {
    const state = fold("s", stored(user, running, call("in_progress")));
    const send = (update: Delta) => applyUpdate(state, { sessionId: "s", agentId: "main", update });
    send({ sessionUpdate: "agent_thought_chunk", messageId: "m2", offset: 0, text: "hm" });
    send({ sessionUpdate: "agent_message_chunk", messageId: "m2", offset: 0, text: "A" });
    send({ sessionUpdate: "tool_input_chunk", messageId: "m2", toolCallId: "c2", name: "read", offset: 0, text: "{" });
    send({ sessionUpdate: "tool_output_chunk", toolCallId: "c1", offset: 0, text: "line\n" });
    const agent = state.agents.get("main");
    expect(agent?.live).toMatchObject({ thinking: "hm", text: "A" });
    expect(agent?.live?.inputs.get("c2")).toEqual({ name: "read", text: "{" });
    expect(agent?.output.get("c1")).toBe("line\n");
  });

  it("shows a fact that could not be stored, without a number", () => {
    const state = emptySession("s");
    const notice: Fact = { sessionUpdate: "notice", severity: "error", title: "full disk" };
    expect(applyUpdate(state, { sessionId: "s", at, agentId: "main", update: notice })).toBe("applied");
    expect(state.seq).toBe(0);
    expect(state.agents.get("main")?.items[0]).toMatchObject({ kind: "notice", title: "full disk" });
  });

  it("keeps the text of an undo where the fact has one", () => {
    const undone = { sessionUpdate: "rewind_update" as const, kind: "undo" as const, turnIds: ["t1"], files: [] };
    const { agents } = fold(
      "s",
      stored(
        { ...undone, rewindId: "r1", title: "Reverted the changes of one turn: 1 file." },
        { ...undone, rewindId: "r2" },
      ),
    );
    expect(agents.get("main")?.items).toEqual([
      { kind: "rewind", id: "r1", rewind: "undo", title: "Reverted the changes of one turn: 1 file.", at },
      { kind: "rewind", id: "r2", rewind: "undo", files: [], at },
    ]);
  });

  it("knows the permission modes of older versions by today's names", () => {
    const config = (permissionMode: string): Fact => {
      const update = { sessionUpdate: "config_option_update", config: { permissionMode, model: "m" } };
      return update as unknown as Fact;
    };
    const modes = ["auto", "plan", "accept-edits"].map((mode) => {
      const facts = stored(config(mode));
      expect(SessionUpdate.safeParse({ sessionId: "s", ...facts[0] }).success).toBe(true);
      return fold("s", facts).config;
    });
    expect(modes).toEqual([
      { permissionMode: "allow-all", model: "m" },
      { permissionMode: "deny", model: "m" },
      { permissionMode: "accept-edits", model: "m" },
    ]);
  });

  it("takes the end of a permission with its reason, and without one from an older version", () => {
    const resolved = {
      sessionUpdate: "permission_resolved" as const,
      toolCallId: "c1",
      outcome: { outcome: "cancelled" as const },
      by: "harness",
    };
    const request = (permissionId: string): Fact => ({
      sessionUpdate: "permission_requested",
      permission: {
        permissionId,
        agentId: "main",
        toolCallId: "c1",
        tool: "bash",
        title: "ls",
        reason: "",
        risk: "safe",
        effects: [],
        preview: [],
        options: [],
      },
    });
    const facts = stored(
      request("p1"),
      request("p2"),
      request("p3"),
      { ...resolved, permissionId: "p1", reason: "mode_changed" },
      { ...resolved, permissionId: "p2" },
    );
    for (const fact of facts)
      expect(SessionUpdate.parse({ sessionId: "s", ...fact })).toEqual({ sessionId: "s", ...fact });
    expect([...fold("s", facts).permissions.keys()]).toEqual(["p3"]);
  });
});
