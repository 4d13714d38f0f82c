import { call, calling, isWhole, MemorySession, probeTool, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../ports/provider.ts";

const ok = (text: string) => ({ status: "ok" as const, text, blocks: [] });
const endOf = (memory: MemorySession) => memory.facts("state_update").at(-1);
const limits = { maxTurns: 3, maxToolCalls: 50 };
/** A model that works forever, each time on something else. */
const busy: Script = (_request, n) => calling(call(`c${n}`, "read", { file_path: `${n}` }));

describe("the limit of requests for a message", () => {
  it("the limit of requests for a message is asked about", async () => {
    const memory = new MemorySession({ script: busy, options: { limits } });
    const answers = ["continue", "stop"];
    memory.ports.asker.onQuestion = () => answers.shift();
    await memory.say("go");
    expect(memory.provider.requests).toHaveLength(6);
    expect(memory.ports.asker.questions[0]).toMatchObject({
      agentId: "main",
      message: expect.stringContaining("made 3 requests"),
      options: [{ optionId: "continue" }, { optionId: "stop" }],
    });
    expect(memory.facts("state_update").map((each) => each.state)).toEqual([
      "running",
      "requires_action",
      "running",
      "requires_action",
      "running",
      "idle",
    ]);
    expect(endOf(memory)).toMatchObject({ stopReason: "max_turn_requests" });
    expect(memory.facts("notice")).toMatchObject([
      { severity: "warning", title: "Stopped after 3 requests to the model." },
    ]);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("the limit of requests for a message may be one", async () => {
    const memory = new MemorySession({ script: busy, options: { limits: { ...limits, maxTurns: 1 } } });
    memory.ports.asker.isThere = false;
    await memory.say("hi");
    expect(memory.facts("notice")).toMatchObject([
      { title: "Stopped after 1 request to the model.", description: "The limit is the setting max_turns." },
    ]);
  });

  it("the limit of requests for a message ends the turn where no one can be asked", async () => {
    const memory = new MemorySession({ script: busy, options: { limits } });
    memory.ports.asker.isThere = false;
    await memory.say("go");
    expect(memory.provider.requests).toHaveLength(3);
    expect(endOf(memory)).toMatchObject({ stopReason: "max_turn_requests" });
  });

  it("the limit of requests counts again from 0 for the next message, and when a person steers", async () => {
    const memory: MemorySession = new MemorySession({
      script: busy,
      options: { limits },
      tools: [
        probeTool("read", () => {
          if (memory.provider.requests.length === 2) memory.prompt("faster", "steer");
          return ok(`${memory.provider.requests.length}`);
        }),
      ],
    });
    memory.ports.asker.isThere = false;
    await memory.say("go");
    expect(memory.provider.requests).toHaveLength(5);
    await memory.say("go on");
    expect(memory.provider.requests).toHaveLength(8);
  });

  it("the question about the limit of requests may be cancelled", async () => {
    const memory = new MemorySession({ script: busy, options: { limits } });
    memory.ports.asker.onQuestion = () => new Promise(() => undefined);
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "state_update" && fact.state === "requires_action");
    memory.session.cancel();
    await memory.session.idle();
    expect(endOf(memory)).toMatchObject({ stopReason: "cancelled" });
    expect(memory.facts("notice")).toEqual([]);
  });
});

describe("a turn that is stuck in a loop", () => {
  /** Two alternating calls, with the same results each time. */
  const circling: Script = (request, n) =>
    request.messages.length > 60 ? saying("enough") : calling(call(`c${n}`, "read", { file_path: n % 2 ? "a" : "b" }));

  it("a turn that is stuck in a loop gets a hint, then a person is asked", async () => {
    const memory = new MemorySession({ script: circling });
    const answers = ["continue", "stop"];
    memory.ports.asker.onQuestion = () => answers.shift();
    await memory.say("go");
    const hints = memory.facts("user_message").filter((each) => each.origin === "harness");
    expect(hints).toHaveLength(2);
    expect(hints[0]?.content[0]).toMatchObject({ text: expect.stringContaining("stuck in a loop") });
    expect(memory.provider.requests[6]?.messages.at(-1)).toMatchObject({ role: "user", content: hints[0]?.content });
    expect(memory.provider.requests).toHaveLength(18);
    expect(endOf(memory)).toMatchObject({ stopReason: "loop" });
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("a turn that is stuck in a loop ends where no one can be asked", async () => {
    const memory = new MemorySession({ script: circling });
    memory.ports.asker.isThere = false;
    await memory.say("go");
    expect(memory.provider.requests).toHaveLength(12);
    expect(endOf(memory)).toMatchObject({ stopReason: "loop" });
    expect(memory.facts("notice")).toMatchObject([{ title: "Stopped: the agent was stuck in a loop." }]);
  });

  /** One call that fails in the same way forever. */
  const failing: Script = (_request, n) => calling(call(`c${n}`, "nothing", {}));

  it("row 28: a call that fails for the third time is stopped, and a person is asked", async () => {
    const memory = new MemorySession({ script: failing });
    await memory.say("go");
    expect(memory.provider.requests).toHaveLength(3);
    expect(memory.ports.asker.questions).toHaveLength(1);
    expect(endOf(memory)).toMatchObject({ stopReason: "loop" });
  });

  it("row 28: three equal calls of one reply are not a loop", async () => {
    const same = ["a", "b", "c"].map((id) => call(id, "nothing", {}));
    const memory = new MemorySession({ script: [calling(...same), saying("I see")] });
    await memory.say("go");
    expect(memory.ports.asker.questions).toEqual([]);
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("row 28: a failing call gets a hint where no one can be asked, and the turn ends when that did not help", async () => {
    const memory = new MemorySession({ script: failing });
    memory.ports.asker.isThere = false;
    await memory.say("go");
    expect(memory.provider.requests[3]?.messages.at(-1)).toMatchObject({ role: "user" });
    expect(memory.provider.requests).toHaveLength(6);
    expect(endOf(memory)).toMatchObject({ stopReason: "loop" });
  });

  it("a turn whose results change goes in no circle", async () => {
    let count = 0;
    const script: Script = (_request, n) => (n < 10 ? calling(call(`c${n}`, "probe", {})) : saying("done"));
    const memory = new MemorySession({ script, tools: [probeTool("probe", () => ok(`${++count}`))] });
    await memory.say("go");
    expect(memory.facts("user_message")).toHaveLength(1);
  });
});

describe("a turn that waits", () => {
  const polls: Script = (_request, n) => (n < 9 ? calling(call(`c${n}`, "probe", {})) : saying("done"));

  it("a turn that waits for a process goes in no circle, however often it looks", async () => {
    const terminal = { type: "terminal" as const, command: "make", output: "", durationMs: 0, exitCode: null };
    const running = { ...ok("(nothing new)"), blocks: [{ ...terminal, processId: "p1" }] };
    const memory = new MemorySession({ script: polls, tools: [probeTool("probe", () => running)] });
    await memory.say("go");
    expect(memory.facts("user_message")).toHaveLength(1);
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("a turn that looks at a process that has ended goes in a circle", async () => {
    const terminal = { type: "terminal" as const, command: "make", output: "", durationMs: 0, exitCode: 0 };
    const over = { ...ok("(nothing new)"), blocks: [terminal] };
    const memory = new MemorySession({ script: polls, tools: [probeTool("probe", () => over)] });
    await memory.say("go");
    expect(memory.facts("user_message").filter(({ origin }) => origin === "harness")).not.toEqual([]);
  });

  it("a turn that looks again and again how its subagents get on waits for them, and is not stopped with them", async () => {
    const polls: ModelRequest[] = [];
    const child = Promise.withResolvers<void>();
    const script: Script = (request, n) => {
      const isChild = JSON.stringify(request.messages[0]).includes("look");
      if (isChild) return [{ type: "until", promise: child.promise }, ...saying("found")];
      if (JSON.stringify(request.messages).includes("COMPLETED")) return saying("done");
      polls.push(request);
      return polls.length === 1
        ? calling(call("s", "start_subagent", { task: "look" }))
        : calling(call(`c${n}`, "probe", {}));
    };
    const memory = new MemorySession({ script, tools: [probeTool("probe", () => ok("agent-1: running"))] });
    memory.prompt("go");
    await memory.untilFact((fact, agentId) => agentId === "main" && "state" in fact && fact.state === "waiting");
    expect(polls).toHaveLength(4);
    child.resolve();
    await memory.session.idle();
    expect(polls).toHaveLength(4);
    expect(memory.facts("user_message").map(({ origin }) => origin)).toEqual(["user", "subagent", "subagent"]);
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("a turn in which a person speaks begins to count again", async () => {
    const memory: MemorySession = new MemorySession({
      script: (_request, n) => (n < 4 ? calling(call(`c${n}`, "probe", {})) : saying("done")),
      tools: [
        probeTool("probe", () => {
          if (memory.provider.requests.length === 2) memory.prompt("it is ready now", "steer");
          return ok("same");
        }),
      ],
    });
    await memory.say("go");
    expect(memory.facts("user_message").map(({ origin }) => origin)).toEqual(["user", "user"]);
  });
});

describe("thousands of calls in one reply", () => {
  /** The processor time of a reply with this many calls, under the names that a model gives them. */
  async function timed(count: number): Promise<number> {
    const parts = Array.from({ length: count }, (_, n) => call(`c${n}`, "Read", { file_path: `f${n}` }));
    const early = parts.map((part) => ({ type: "call" as const, part }));
    const memory = new MemorySession({
      script: [[...early, ...calling(...parts)], saying("done")],
      options: { limits },
    });
    const begin = process.cpuUsage();
    await memory.say("go");
    const results = memory.provider.requests.at(-1)?.messages.filter(({ role }) => role === "tool");
    expect(results).toHaveLength(count);
    return process.cpuUsage(begin).user;
  }

  it("thousands of calls in one reply take time in proportion, and each has its answer", async () => {
    await timed(500);
    const few = await timed(2_000);
    const many = await timed(isWhole ? 20_000 : 8_000);
    // Comparing each with all others would take the square of the factor: 100 for 10, 16 for 4.
    expect(many / few).toBeLessThan(isWhole ? 40 : 12);
  });
});
