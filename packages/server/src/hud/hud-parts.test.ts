import { expect, it } from "vitest";
import { diagnosticsState, gitInTime, gitState, goalState, type TriedSandbox, triedSandbox } from "./hud-parts.ts";

/** A sandbox in an unknown state until it was tried. */
function sandbox(wanted: TriedSandbox["wanted"], works: boolean) {
  const calls: string[] = [];
  let tried = false;
  return {
    calls,
    wanted,
    get active() {
      return tried && works && !calls.includes("close");
    },
    get why() {
      return tried && !works ? "bwrap is missing" : undefined;
    },
    async ready() {
      calls.push("ready");
      tried = true;
    },
    close() {
      calls.push("close");
    },
  };
}

it.each([
  ["on", true, { sandbox: { active: true } }, ["ready", "close"]],
  ["auto", false, { sandbox: { active: false, why: "bwrap is missing" } }, ["ready", "close"]],
  ["off", true, {}, []],
] as const)(
  "before a session the sandbox %s (works: %s) is tried out, and put away",
  async (wanted, works, state, calls) => {
    const tried = sandbox(wanted, works);
    expect(await triedSandbox(tried)).toEqual(state);
    expect(tried.calls).toEqual(calls);
  },
);

it("mistakes are counted if there are any", () => {
  const stateOf = (errors: number, warnings: number) =>
    diagnosticsState({ diagnostics: { counts: { errors, warnings } } } as Parameters<typeof diagnosticsState>[0]);
  expect(stateOf(0, 0)).toEqual({});
  expect(stateOf(0, 2)).toEqual({ diagnostics: { errors: 0, warnings: 2 } });
});

it("without a sandbox nothing is said of one", async () => {
  expect(await triedSandbox(undefined)).toEqual({});
});

it("does not wait for a git that takes long, and says so", async () => {
  const never = { gitCounts: () => new Promise<undefined>(() => undefined) };
  expect(gitState(await gitInTime(never, 1))).toEqual({ gitProblem: "takes long here" });
  const counts = { branch: "main", added: 0, removed: 0, changedFiles: 0 };
  expect(gitState(await gitInTime({ gitCounts: async () => counts }, 60_000))).toEqual({ git: counts });
});

it("the HUD has a goal that is not met yet, with what is used of its limits since it was set", () => {
  const budget = { rounds: 5, tokens: 1_000, usd: 2 };
  const goal = { goal: "all\ntests  pass", budget, rounds: 2, since: { tokens: 100, usd: 0.5, unpricedRequests: 0 } };
  const session = { usage: { inputTokens: 300, outputTokens: 50 }, cost: { usd: 0.75, unpricedRequests: 0 } };
  const shown = (state: "active" | "paused" | "met" | "cleared", limits: object = budget) =>
    goalState({ ...session, goal: { ...goal, budget: { ...budget, ...limits }, state } });
  const checks = { used: 2, of: 5 };
  const uses = { tokens: { used: 250, of: 1_000 }, usd: { used: 0.25, of: 2 } };
  expect(shown("active")).toEqual({ goal: { text: "all tests pass", state: "active", checks, ...uses } });
  expect(shown("paused", { tokens: undefined, usd: undefined })).toEqual({
    goal: { text: "all tests pass", state: "paused", checks },
  });
  expect([shown("met"), shown("cleared"), goalState(session)]).toEqual([{}, {}, {}]);
});
