import { call, calling, MemoryLog, MemorySession, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { readVerdict } from "./goal-texts.ts";

const budget = { rounds: 20 };
const verdict = (met: boolean, why: string) => saying(JSON.stringify({ met, why }));
const isCheck = (text: string) => text.startsWith("[A check by harness.");
const lastText = (request: Parameters<Script>[0]) => {
  const last = request.messages.at(-1);
  const [part] = last?.role === "user" ? last.content : [];
  return part?.type === "text" ? part.text : "";
};

/** Answers checks with these in turn, and everything else with a sentence. */
function sessionWith(
  verdicts: ReturnType<typeof saying>[],
  more: Partial<ConstructorParameters<typeof MemorySession>[0]> = {},
) {
  return new MemorySession({
    script: (request) =>
      isCheck(lastText(request)) ? (verdicts.shift() ?? verdict(false, "no more")) : saying("Done."),
    ...more,
  });
}

async function pursue(memory: MemorySession, wish: { rounds: number; tokens?: number; usd?: number } = budget) {
  expect(memory.session.changeGoal({ goal: "all tests pass", budget: wish })).toBeUndefined();
  await memory.say("all tests pass");
}

const goals = (memory: MemorySession) => memory.facts("goal_update").map(({ state, rounds }) => [state, rounds]);
const endOf = (memory: MemorySession) => memory.facts("state_update").at(-1);

describe("the verdict of a check", () => {
  it.each<[string, ReturnType<typeof readVerdict>]>([
    ['{"met":true,"why":"npm test: 12 passed"}', { met: true, why: "npm test: 12 passed" }],
    ['```json\n{"met": false, "why": "one fails"}\n```', { met: false, why: "one fails" }],
    [' {"why":"x","met":false}\n', { met: false, why: "x" }],
    ["yes", undefined],
    ["", undefined],
    ['{"met":"true","why":"x"}', undefined],
    ['{"met":true}', undefined],
    ['{"met":true,"why":" "}', undefined],
    ['{"met":true,"why":"x","sure":1}', undefined],
    ['[{"met":true,"why":"x"}]', undefined],
    ['It is met: {"met":true,"why":"x"}', undefined],
    ['{"met":false,"why":"x"} {"met":true,"why":"x"}', undefined],
    ["null", undefined],
  ])("of %j is %j", (answer, expected) => expect(readVerdict(answer)).toEqual(expected));

  it("keeps a bounded reason", () => {
    expect(readVerdict(JSON.stringify({ met: false, why: "x".repeat(5_000) }))?.why.length).toBeLessThan(1_010);
  });
});

describe("a goal", () => {
  it("has the agent go on until a check finds it met, in one turn", async () => {
    const memory = sessionWith([verdict(false, "one test fails"), verdict(true, "12 passed")]);
    await pursue(memory);
    expect(goals(memory)).toEqual([
      ["active", 0],
      ["active", 1],
      ["met", 2],
    ]);
    expect(endOf(memory)).toMatchObject({ state: "idle", stopReason: "end_turn" });
    const told = memory.facts("user_message").filter(({ origin }) => origin === "harness");
    expect(told).toHaveLength(1);
    expect(JSON.stringify(told)).toContain("one test fails");
    const items = memory.session.state.agents.get("main")?.items ?? [];
    expect(items.flatMap((item) => (item.kind === "notice" ? [[item.title, item.description]] : []))).toEqual([
      ["The goal is not met yet (check 1 of 20).", "one test fails"],
      ["The goal is met (check 2 of 20).", "12 passed"],
    ]);
    expect(memory.states.live).toEqual(memory.states.folded);
    await memory.say("and now?");
    expect(memory.provider.requests.filter((each) => isCheck(lastText(each)))).toHaveLength(2);
  });

  it("is checked with the same beginning as the request before it, which a server has read", async () => {
    const memory = sessionWith([verdict(false, "no"), verdict(true, "yes")]);
    await pursue(memory);
    const [work, check, next] = memory.provider.requests;
    expect(check).toMatchObject({ system: work?.system, tools: work?.tools, lane: work?.lane, priority: "turn" });
    expect(check?.messages.slice(0, work?.messages.length)).toEqual(work?.messages);
    expect(check?.messages).toHaveLength((work?.messages.length ?? 0) + 2);
    expect(next?.messages.slice(0, -1)).toEqual(check?.messages.slice(0, -1));
  });

  it("counts an unclear answer as not met, calls of tools too, and ends after its rounds", async () => {
    const odd = [saying("I think so!"), calling(call("c", "bash", { command: "true" })), saying("{}")];
    const memory = sessionWith(odd);
    await pursue(memory, { rounds: 3 });
    expect(goals(memory).at(-1)).toEqual(["paused", 3]);
    expect(memory.facts("goal_update").at(-2)).toMatchObject({ reason: expect.stringContaining("no clear answer") });
    expect(memory.facts("goal_update").at(-1)).toMatchObject({ reason: "it was checked 3 times and not met." });
    expect(endOf(memory)).toMatchObject({ stopReason: "budget" });
    expect(memory.facts("tool_call_update")).toEqual([]);
  });

  it.each([
    ["tokens", { rounds: 9, tokens: 30 }, "its 30 tokens are used up (it used 48)."],
    ["money whose amount is not known", { rounds: 9, usd: 1 }, "the price of the model is not known"],
  ])("ends when its %s is used up", async (_name, wish, reason) => {
    const usage = { usage: { inputTokens: 10, outputTokens: 2 } };
    const memory = new MemorySession({
      script: (request) =>
        isCheck(lastText(request)) ? saying('{"met":false,"why":"no"}', usage) : saying("Done.", usage),
    });
    await pursue(memory, wish);
    expect(memory.facts("goal_update").at(-1)).toMatchObject({
      state: "paused",
      reason: expect.stringContaining(reason),
    });
    expect(endOf(memory)).toMatchObject({ stopReason: "budget" });
  });

  it("pauses when the check fails, with the reason", async () => {
    const failed = [{ type: "failed" as const, failure: { kind: "network" as const, message: "The line is dead." } }];
    const memory = sessionWith([failed]);
    await pursue(memory);
    expect(memory.facts("goal_update").at(-1)).toMatchObject({
      state: "paused",
      reason: "it could not be checked. The line is dead.",
    });
  });

  it("pauses when the turn is stopped, and goes on when a person says so, with its whole budget", async () => {
    let isStopped = false;
    const memory: MemorySession = new MemorySession({
      script: (request) => {
        if (isCheck(lastText(request))) return verdict(isStopped, "so it is");
        if (!isStopped) {
          isStopped = true;
          memory.session.cancel();
        }
        return saying("Done.");
      },
    });
    await pursue(memory);
    expect(memory.facts("goal_update").at(-1)).toMatchObject({ state: "paused", reason: "the turn was stopped." });
    await memory.say("something else");
    expect(goals(memory)).toHaveLength(2);
    expect(memory.session.changeGoal("resume")).toBeUndefined();
    await memory.say("go on");
    expect(goals(memory).slice(2)).toEqual([
      ["active", 0],
      ["met", 1],
    ]);
    expect(memory.session.changeGoal("resume")).toMatchObject({ problem: "No goal is paused." });
    expect(memory.session.changeGoal("clear")).toMatchObject({ problem: "There is no goal." });
  });

  it("is dropped during its turn, which then ends by itself", async () => {
    const memory: MemorySession = new MemorySession({
      script: (request) => {
        if (!isCheck(lastText(request))) return saying("Done.");
        memory.session.changeGoal("clear");
        return verdict(false, "no");
      },
    });
    await pursue(memory);
    expect(goals(memory).map(([state]) => state)).toEqual(["active", "cleared", "cleared"]);
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("is paused in a session that is opened again after a crash, and nothing starts", async () => {
    const memory = sessionWith([verdict(false, "no")]);
    memory.session.changeGoal({ goal: "all tests pass", budget });
    const again = new MemorySession({ script: [], log: new MemoryLog("s1", "/work", memory.log.lines) });
    expect(again.session.state.goal).toMatchObject({ state: "paused", goal: "all tests pass" });
    await again.session.idle();
    expect(again.provider.requests).toEqual([]);
  });
});
