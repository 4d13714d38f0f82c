import {
  call,
  calling,
  failing,
  MemorySession,
  memoryTools,
  type Script,
  type ScriptedEvent,
  saying,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../ports/provider.ts";

function gate(): { until: ScriptedEvent; open: () => void } {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { until: { type: "until", promise }, open };
}

/** The beginning of the conversation, which shows whose request it is. */
function taskOf({ messages: [first] }: ModelRequest): string {
  const text = first?.role === "user" && first.content[0]?.type === "text" ? first.content[0].text : "";
  return text.split("\n")[0] ?? "";
}
const start = (id: string, task: string, context?: string) =>
  call(id, "start_subagent", { task, ...(context ? { context } : {}) });
const turnsOf = (request: ModelRequest) => request.messages.filter((each) => each.role === "assistant").length;
const wordsOf = (memory: MemorySession, agentId: string) =>
  memory.log.facts.flatMap((fact) =>
    fact.agentId === agentId && fact.update.sessionUpdate === "user_message"
      ? [fact.update.content.map((part) => (part.type === "text" ? part.text : "")).join("")]
      : [],
  );
const runOf = (memory: MemorySession, agentId: string) => memory.session.state.agents.get(agentId)?.run;
const endOf = (memory: MemorySession, agentId = "main") => memory.session.state.agents.get(agentId);

function expectWhole(memory: MemorySession): void {
  const { live, folded, client } = memory.states;
  expect(live).toEqual(folded);
  expect(client).toEqual(folded);
  for (const agent of live.agents.values()) expect(agent.state).toBe("idle");
}

describe("subagents", () => {
  it("subagents work side by side; their results reach the parent, which waits for them", async () => {
    const gates = { one: gate(), two: gate(), three: gate() };
    const script: Script = (request) => {
      const task = taskOf(request);
      if (task in gates) return [gates[task as "one"].until, ...saying(`result ${task}`)];
      return turnsOf(request) === 0
        ? calling(start("a", "one", "in src"), start("b", "two"), start("c", "three"))
        : saying("I wait.");
    };
    const memory = new MemorySession({ script });
    memory.prompt("go");
    await memory.untilFact(
      (fact, agentId) => agentId === "main" && fact.sessionUpdate === "state_update" && fact.state === "waiting",
    );
    expect(memory.session.agents()).toMatchObject([
      { agentId: "main", depth: 0, state: "waiting" },
      {
        agentId: "agent-1",
        parentAgentId: "main",
        task: "one",
        depth: 1,
        state: "running",
        startedAt: expect.any(String),
      },
      { agentId: "agent-2", task: "two" },
      { agentId: "agent-3", task: "three" },
    ]);
    for (const key of ["two", "one", "three"] as const) {
      gates[key].open();
      await memory.untilFact(
        (fact) => fact.sessionUpdate === "subagent_update" && fact.task === key && fact.state === "completed",
      );
    }
    await memory.session.idle();
    expect(wordsOf(memory, "main")).toEqual([
      "go",
      "SUBAGENT agent-2 COMPLETED: result two",
      "SUBAGENT agent-1 COMPLETED: result one",
      "SUBAGENT agent-3 COMPLETED: result three",
    ]);
    expect(wordsOf(memory, "agent-1")).toEqual(["one\n\nContext:\nin src"]);
    expect(memory.facts("user_message").filter((each) => each.fromAgentId === "agent-2")).toMatchObject([
      { origin: "subagent" },
    ]);
    expect(memory.provider.requests[1]).toMatchObject({ priority: "subagent" });
    expect(memory.session.agents().map((each) => each.state)).toEqual(["idle", "completed", "completed", "completed"]);
    expectWhole(memory);
  });

  it.each([
    [32_768, ["start_subagent", "tool_search"], ["send_message"]],
    [128_000, ["start_subagent", "send_message", "question", "todo", "tool_search"], []],
  ])(
    "subagents answer at once with an id, and have the parent's tools and system text: %d",
    async (contextWindow, more, own) => {
      const script: Script = (request) =>
        taskOf(request) === "look"
          ? saying("found")
          : turnsOf(request) === 0
            ? calling(start("a", "look"))
            : saying("done");
      const memory = new MemorySession({ script, contextWindow });
      await memory.say("go");
      expect(memory.facts("tool_call_update").at(-1)?.outcome?.text).toBe(
        '{"subagent_id":"agent-1","status":"started"}',
      );
      const [parent, child] = memory.provider.requests;
      expect(child?.system).toBe(parent?.system);
      const count = parent?.tools.length ?? 0;
      expect(child?.tools.slice(0, count)).toEqual(parent?.tools);
      expect(child?.tools.slice(count).map((tool) => tool.name)).toEqual(own);
      expect(parent?.tools.map((tool) => tool.name)).toEqual(["read", "write", "bash", ...more]);
      expectWhole(memory);
    },
  );

  it("subagents are not started on a task that leaves no room for the work", async () => {
    const script: Script = (request) =>
      turnsOf(request) === 0
        ? calling(start("a", "x".repeat(9_000)), start("b", "y", "z".repeat(9_000)))
        : saying("done");
    const memory = new MemorySession({ script, contextWindow: 8_192 });
    await memory.say("go");
    const outcomes = memory.facts("tool_call_update").flatMap((each) => (each.outcome ? [each.outcome] : []));
    expect(outcomes.map((each) => each.status)).toEqual(["error", "error"]);
    expect(outcomes[0]?.text).toContain("the limit for a subagent is 2048, a quarter of its context window");
    expect(memory.facts("subagent_update")).toEqual([]);
    expectWhole(memory);
  });

  it("subagents that fail say why, and the parent goes on", async () => {
    const script: Script = (request) =>
      taskOf(request) === "look"
        ? failing("network", "no route")
        : turnsOf(request) === 0
          ? calling(start("a", "look"))
          : saying("done");
    const memory = new MemorySession({ script });
    await memory.say("go");
    expect(wordsOf(memory, "main").at(-1)).toBe("SUBAGENT agent-1 FAILED: no route");
    expect(runOf(memory, "agent-1")).toBe("failed");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expectWhole(memory);
  });

  it.each([
    ["says nothing, twice", "end", "The model answered nothing, twice."],
    ["reaches its output limit before it says anything", "length", "the model reached its output limit"],
  ] as const)("a subagent that %s has failed", async (_what, stop, reason) => {
    const thought = { type: "thinking" as const, text: "Hm." };
    const script: Script = (request) => {
      if (taskOf(request) === "look") return [{ type: "end", parts: [thought], stop }];
      return turnsOf(request) === 0 ? calling(start("a", "look")) : saying("done");
    };
    const memory = new MemorySession({ script });
    await memory.say("go");
    expect(wordsOf(memory, "main").at(-1)).toContain(`SUBAGENT agent-1 FAILED: ${reason}`);
    expect(runOf(memory, "agent-1")).toBe("failed");
    expectWhole(memory);
  });

  it("subagents that reach their limit of requests have failed, with their last message", async () => {
    const script: Script = (request, n) => {
      if (taskOf(request) === "look")
        return calling({ type: "text", text: `step ${n}` }, call(`c${n}`, "read", { file_path: `${n}` }));
      return turnsOf(request) === 0 ? calling(start("a", "look")) : saying("done");
    };
    const memory = new MemorySession({
      script,
      options: { limits: { maxTurns: 2, maxToolCalls: 9 } },
    });
    memory.ports.asker.onQuestion = ({ agentId }) => (agentId === "main" ? "continue" : "stop");
    await memory.say("go");
    expect(wordsOf(memory, "main").at(-1)).toMatch(
      /^SUBAGENT agent-1 FAILED: it reached its request limit\. Its last message: step \d$/,
    );
    expect(memory.ports.asker.questions[0]?.agentId).toBe("agent-1");
    expectWhole(memory);
  });

  it("subagents have children of their own and wait for them before they report", async () => {
    const script: Script = (request) => {
      const task = taskOf(request);
      if (task === "grandchild") return saying("deep");
      if (task === "child")
        return turnsOf(request) === 0
          ? calling(start("b", "grandchild"))
          : saying(`heard ${JSON.stringify(request.messages.at(-1)).includes("deep")}`);
      return turnsOf(request) === 0 ? calling(start("a", "child")) : saying("done");
    };
    const memory = new MemorySession({ script });
    await memory.say("go");
    expect(wordsOf(memory, "agent-1")).toEqual(["child", "SUBAGENT agent-2 COMPLETED: deep"]);
    expect(wordsOf(memory, "main").at(-1)).toBe("SUBAGENT agent-1 COMPLETED: heard true");
    expect(memory.session.agents().map(({ agentId, depth }) => [agentId, depth])).toEqual([
      ["main", 0],
      ["agent-1", 1],
      ["agent-2", 2],
    ]);
    expectWhole(memory);
  });

  it("an agent that has nothing to say while its subagents work waits for them", async () => {
    let report: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => {
      report = resolve;
    });
    let empty = 0;
    const script: Script = (request) => {
      if (taskOf(request) === "look") return [{ type: "until", promise }, ...saying("found it")];
      if (turnsOf(request) === 0) return calling(start("a", "look"));
      if (JSON.stringify(request.messages).includes("found it")) return saying("done");
      empty += 1;
      if (empty === 2) report();
      return [{ type: "end", parts: [], stop: "end" }];
    };
    const memory = new MemorySession({ script });
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(runOf(memory, "agent-1")).toBe("completed");
    expectWhole(memory);
  });

  it("subagents are nested four deep at most", async () => {
    const script: Script = (request, n) =>
      turnsOf(request) === 0 ? calling(start(`c${n}`, `level ${n}`)) : saying("done");
    const memory = new MemorySession({ script });
    await memory.say("go");
    expect(memory.session.agents().map((each) => each.depth)).toEqual([0, 1, 2, 3, 4]);
    const refused = memory
      .facts("tool_call_update")
      .flatMap((each) => (each.outcome?.status === "error" ? [each.outcome.text] : []));
    expect(refused).toEqual([
      expect.stringContaining('"status":"rejected","error":"Subagents can be nested at most 4 deep'),
    ]);
    expectWhole(memory);
  });

  it("subagents are eight at a time for each parent", async () => {
    const refused = gate();
    const script: Script = (request) => {
      if (taskOf(request).startsWith("part")) return [refused.until, ...saying("ok")];
      if (turnsOf(request) > 0) {
        refused.open();
        return saying("done");
      }
      return calling(...Array.from({ length: 10 }, (_, n) => start(`c${n}`, `part ${n}`)));
    };
    const memory = new MemorySession({ script });
    await memory.say("go");
    const texts = memory.facts("tool_call_update").flatMap((each) => (each.outcome ? [each.outcome.text] : []));
    expect(texts.filter((text) => text.includes('"started"'))).toHaveLength(8);
    expect(texts.filter((text) => text.includes("8 subagents are already running"))).toHaveLength(2);
    expectWhole(memory);
  });

  it("subagents ask under their own name", async () => {
    const script: Script = (request) => {
      if (taskOf(request) === "write it")
        return turnsOf(request) === 0
          ? calling(call("w", "write", { file_path: "x", content: "1" }))
          : saying("written");
      return turnsOf(request) === 0 ? calling(start("a", "write it")) : saying("done");
    };
    const memory = new MemorySession({ script, tools: memoryTools(), options: { permission_mode: "default" } });
    memory.ports.asker.onPermission = () => ({ outcome: "selected", optionId: "allow_once" });
    await memory.say("go");
    expect(memory.ports.asker.permissions).toMatchObject([{ agentId: "agent-1", tool: "write" }]);
    expect(wordsOf(memory, "main").at(-1)).toBe("SUBAGENT agent-1 COMPLETED: written");
    expectWhole(memory);
  });

  it("subagents whose log cannot be made are refused", async () => {
    const script: Script = (request) =>
      turnsOf(request) === 0 ? calling(start("a", "look")) : saying("I do it myself.");
    const memory = new MemorySession({ script });
    memory.log.addAgent = () => {
      throw new Error("ENOSPC");
    };
    await memory.say("go");
    expect(memory.facts("tool_call_update").at(-1)?.outcome?.text).toContain("Its log could not be created");
    expectWhole(memory);
  });
});

describe("a person", () => {
  function waiting() {
    const held = gate();
    const script: Script = (request) => {
      if (taskOf(request).startsWith("slow"))
        return [{ type: "text", text: "part of it" }, held.until, ...saying("late")];
      return turnsOf(request) === 0
        ? calling(start("a", "slow one"), start("b", "slow two"))
        : saying(`answer ${turnsOf(request)}`);
    };
    return { memory: new MemorySession({ script }), held };
  }
  const isWaiting = (memory: MemorySession) =>
    memory.untilFact(
      (fact, agentId) => agentId === "main" && fact.sessionUpdate === "state_update" && fact.state === "waiting",
    );

  it.each(["steer", "queue"] as const)("a person wakes an agent that only waits: %s", async (delivery) => {
    const { memory, held } = waiting();
    memory.prompt("go");
    await isWaiting(memory);
    expect(memory.prompt("how is it going?", delivery)).toEqual({ disposition: "steered", turnId: "turn-1" });
    await memory.untilFact(
      (fact) => fact.sessionUpdate === "agent_message" && JSON.stringify(fact.parts).includes("answer 2"),
    );
    expect(memory.session.state.agents.get("agent-1")?.run).toBe("running");
    held.open();
    await memory.session.idle();
    expect(wordsOf(memory, "main").slice(0, 2)).toEqual(["go", "how is it going?"]);
    expectWhole(memory);
  });

  it("a person can stop one subagent", async () => {
    const { memory, held } = waiting();
    memory.prompt("go");
    await isWaiting(memory);
    expect(memory.session.cancel("agent-1")).toBe(true);
    expect(memory.session.cancel("agent-9")).toBe(false);
    await memory.untilFact((fact) => fact.sessionUpdate === "subagent_update" && fact.state === "cancelled");
    held.open();
    await memory.session.idle();
    expect(wordsOf(memory, "main").slice(1)).toEqual([
      "SUBAGENT agent-1 FAILED: it was cancelled. Its last message: part of it",
      "SUBAGENT agent-2 COMPLETED: late",
    ]);
    expect(memory.session.cancel("agent-1")).toBe(false);
    expectWhole(memory);
  });

  it("a person who cancels the turn stops all subagents, and the parent is idle last", async () => {
    const { memory } = waiting();
    memory.prompt("go");
    await isWaiting(memory);
    memory.session.cancel();
    await memory.session.idle();
    expect(["agent-1", "agent-2"].map((agentId) => runOf(memory, agentId))).toEqual(["cancelled", "cancelled"]);
    expect(memory.log.facts.at(-1)).toMatchObject({
      agentId: "main",
      update: { state: "idle", stopReason: "cancelled" },
    });
    expectWhole(memory);
    await memory.say("again");
    const roles = memory.provider.requests.at(-1)?.messages.map((each) => each.role);
    expect(roles).toEqual(["user", "assistant", "tool", "tool", "assistant", "user", "user", "user"]);
  });

  it("subagents stop when their parent fails", async () => {
    const held = gate();
    const script: Script = (request) => {
      if (taskOf(request) === "slow") return [held.until];
      return turnsOf(request) === 0 ? calling(start("a", "slow")) : failing("auth");
    };
    const memory = new MemorySession({ script });
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "error" });
    expect(runOf(memory, "agent-1")).toBe("cancelled");
    expectWhole(memory);
  });
});
