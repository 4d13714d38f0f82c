import type { AgentBudget, Price } from "@harness/protocol";
import {
  call,
  calling,
  MemorySession,
  type Script,
  type ScriptedEvent,
  saying,
  usualAgentLimits,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../ports/provider.ts";

function taskOf({ messages: [first] }: ModelRequest): string {
  const text = first?.role === "user" && first.content[0]?.type === "text" ? first.content[0].text : "";
  return text.split("\n")[0] ?? "";
}
const turnsOf = (request: ModelRequest) => request.messages.filter((each) => each.role === "assistant").length;
const resultOf = (memory: MemorySession, task: string) =>
  memory.facts("subagent_update").find((each) => each.task === task && each.state !== "running");

/** A reply that reads once more, with its usage. */
function reading(n: number, usage = { inputTokens: 90, cacheReadTokens: 40, outputTokens: 10 }): ScriptedEvent[] {
  const end = calling({ type: "text", text: `step ${n}` }, call(`r${n}`, "read", { file_path: `${n}` }));
  return end.map((event) => (event.type === "end" ? { ...event, usage } : event));
}

const never = new Promise<void>(() => undefined);

/** One child that reads forever. */
function session(budget: AgentBudget, child: Script = (request) => reading(turnsOf(request) + 1)): MemorySession {
  const script: Script = (request, n) => {
    if (taskOf(request) !== "go") return child(request, n);
    return turnsOf(request) === 0 ? calling(call("a", "start_subagent", { task: "read", budget })) : saying("done");
  };
  return new MemorySession({ script });
}

describe("the budget of the main agent", () => {
  const start = (request: ModelRequest) =>
    turnsOf(request) === 0
      ? calling(call("a", "start_subagent", { task: "read" }))
      : calling(call(`w${turnsOf(request)}`, "read", { file_path: `w${turnsOf(request)}` }));
  const script: Script = (request) => (taskOf(request) === "go" ? start(request) : reading(turnsOf(request) + 1));
  const limited = (budget: AgentBudget, its = script) =>
    new MemorySession({ script: its, options: { limits: { maxTurns: 50, maxToolCalls: 50, budget } } });

  it("counts what those below it use, and ends the turn", async () => {
    const memory = limited({ tokens: 150 });
    await memory.say("go");
    expect(memory.session.state.agents.get("main")).toMatchObject({ stopReason: "budget" });
    expect(memory.facts("notice").at(-1)).toMatchObject({
      severity: "warning",
      title: "The agent used up its budget of 150 tokens (it used 180).",
    });
    await memory.say("go on");
    expect(memory.session.state.agents.get("main")).toMatchObject({ stopReason: "budget" });
  });

  it("ends with the first request whose price is not known, if it is money", async () => {
    const memory = limited({ usd: 2 }, (_request, n) => reading(n));
    await memory.say("go");
    expect(memory.provider.requests).toHaveLength(1);
    expect(memory.facts("notice").at(-1)).toMatchObject({
      title: "The agent used a model whose price is not known, so that its budget of $2 cannot be kept.",
    });
  });
});

describe("the limit of a day", () => {
  const priced = (price: Price | undefined, spent: number) => {
    const memory = new MemorySession({
      script: (_request, n) => (n < 4 ? reading(n) : saying("end")),
      options: { max_daily_usd: 5 },
    });
    const { chooseModel } = memory.ports;
    memory.ports.chooseModel = async (config) => ({ ...(await chooseModel(config)), ...(price && { price }) });
    memory.ports.spentToday = () => (memory.provider.requests.length < 2 ? 0 : spent);
    return memory;
  };

  it.each<[string, Price | undefined, number, string, number]>([
    ["ends the turn of a model with a price", { input: 1, output: 1 }, 5, "budget", 2],
    ["ends the turn of a model whose price is not known", undefined, 6, "budget", 2],
    ["lets a model go on that costs nothing", { input: 0, output: 0 }, 6, "end_turn", 5],
    ["lets all go on before it is used up", { input: 1, output: 1 }, 4.99, "end_turn", 5],
  ])("%s", async (_name, price, spent, stopReason, requests) => {
    const memory = priced(price, spent);
    await memory.say("go");
    expect(memory.session.state.agents.get("main")).toMatchObject({ stopReason });
    expect(memory.provider.requests).toHaveLength(requests);
    if (stopReason === "budget")
      expect(memory.facts("notice").at(-1)).toMatchObject({
        title: `The limit of $5 for this day is used up ($${spent.toFixed(2)}).`,
      });
  });
});

describe("the budget of a subagent", () => {
  it.each<[AgentBudget, string]>([
    [{ turns: 2 }, "it used up its budget of 2 requests. Its last message: step 2"],
    [{ turns: 1 }, "it used up its budget of 1 request. Its last message: step 1"],
    [{ tokens: 150 }, "it used up its budget of 150 tokens (it used 180). Its last message: step 3"],
  ])("the budget of a subagent ends it, and its parent is notified with its last message: %j", async (budget, text) => {
    const memory = session(budget);
    await memory.say("go");
    expect(resultOf(memory, "read")).toMatchObject({ state: "failed", output: text });
    expect(memory.session.state.agents.get("main")).toMatchObject({ stopReason: "end_turn" });
    expect(memory.session.state.agents.get("agent-1")).toMatchObject({ stopReason: "budget" });
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("the budget of a subagent may be money, as far as the price is known", async () => {
    const memory = session({ usd: 0.5 });
    const { chooseModel } = memory.ports;
    memory.ports.chooseModel = async (config) => ({
      ...(await chooseModel(config)),
      price: { input: 5_000, output: 5_000, cacheRead: 0 },
    });
    await memory.say("go");
    expect(resultOf(memory, "read")?.output).toMatch(/^it used up its budget of \$0\.5 \(it used \$0\.6000\)\./);
  });

  it("the budget of a subagent may be time, which stops it in the middle of a reply", async () => {
    const memory = session({ seconds: 5 }, () => [
      { type: "text", text: "so far" },
      { type: "until", promise: never },
    ]);
    memory.prompt("go");
    await memory.untilRequests(2);
    memory.ports.clock.advance(5_000);
    await memory.session.idle();
    expect(resultOf(memory, "read")).toMatchObject({
      state: "failed",
      output: "it used up its budget of 5 s. Its last message: so far",
    });
    expect(memory.ports.clock.sleeping).toBe(0);
  });

  it("the budget of a subagent is what its descendants spend of, and ends them too", async () => {
    const child: Script = (request, n) => {
      if (taskOf(request) === "deeper") return reading(n);
      return turnsOf(request) === 0 ? calling(call("b", "start_subagent", { task: "deeper" })) : saying("waiting");
    };
    const memory = session({ tokens: 200 }, child);
    await memory.say("go");
    expect(resultOf(memory, "deeper")?.output).toMatch(
      /^it was stopped: agent-1, which started it, used up its budget of 200 tokens/,
    );
    expect(resultOf(memory, "read")?.output).toMatch(/^it used up its budget of 200 tokens/);
    expect(memory.session.state.agents.get("main")).toMatchObject({ stopReason: "end_turn" });
  });

  it("the budget of a subagent that the settings give is never more for an order that asks for more", async () => {
    const memory = session({ turns: 50, tokens: 1_000_000 });
    memory.values = { ...memory.values, agentLimits: { ...usualAgentLimits, budget: { tokens: 100 } } };
    await memory.say("go");
    expect(resultOf(memory, "read")?.output).toMatch(/^it used up its budget of 100 tokens \(it used 120\)/);
  });

  it("the budget of a subagent that is not one is refused with the reason", async () => {
    const memory = session({ euros: 3 } as AgentBudget);
    await memory.say("go");
    const [outcome] = memory.facts("tool_call_update").flatMap((each) => each.outcome ?? []);
    expect(outcome).toMatchObject({
      status: "invalid",
      text: expect.stringContaining("turns, tokens, seconds and usd"),
    });
  });

  it("limits of subagents are those of the settings at the moment", async () => {
    const refused = Promise.withResolvers<void>();
    const script: Script = (request, n) => {
      if (taskOf(request) !== "go") return [{ type: "until", promise: refused.promise }, ...saying("done")];
      if (turnsOf(request) === 0)
        return calling(...[1, 2].map((each) => call(`c${n}${each}`, "start_subagent", { task: `part ${each}` })));
      refused.resolve();
      return saying("done");
    };
    const memory = new MemorySession({ script });
    memory.values = { ...memory.values, agentLimits: { ...usualAgentLimits, maxAtOnce: 1 } };
    await memory.say("go");
    const texts = memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome.text] : []));
    expect(texts.sort()).toEqual([
      '{"status":"rejected","error":"1 subagent is already running. Wait for one to end, or do the task yourself."}',
      '{"subagent_id":"agent-1","status":"started"}',
    ]);
  });
});
