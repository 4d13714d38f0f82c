import type { Fact } from "@harness/protocol";
import type { Spend, SpendLedger } from "@harness/storage";
import { factViewContract, ManualClock } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { SpendRecorder } from "./spend-recorder.ts";

const at = "2026-11-21T10:00:00.000Z";
const spent = { usage: { inputTokens: 7 }, cost: { usd: 0.5, unpricedRequests: 0 }, provider: "p", model: "m" };
const failed = { sessionUpdate: "notice", severity: "warning", title: "No summary." } as const;
const retry = {
  sessionUpdate: "retry",
  messageId: "m2",
  attempt: 2,
  maxAttempts: 5,
  delayMs: 10,
  error: { kind: "network", message: "gone" },
} as const;
const checked = {
  sessionUpdate: "goal_update",
  goal: "green",
  state: "met",
  budget: { rounds: 2 },
  rounds: 1,
  since: { tokens: 0, usd: 0, unpricedRequests: 0 },
} as const;
const reply = {
  sessionUpdate: "agent_message",
  messageId: "m2",
  parts: [],
  stop: "end",
  provider: "p",
  model: "m",
} as const;

function recorder(): { spends: Spend[]; spend: SpendRecorder } {
  const spends: Spend[] = [];
  const ledger: Pick<SpendLedger, "add" | "of"> = { add: (each) => spends.push(each), of: () => spends };
  const clock = new ManualClock();
  return { spends, spend: new SpendRecorder({ ledger: ledger as SpendLedger, clock, report: () => undefined }) };
}

function spendsOf(...facts: Fact[]): Spend[] {
  const { spends, spend } = recorder();
  facts.forEach((update, index) => {
    spend.see({ sessionId: "s", seq: index + 1, at, agentId: "main", update });
  });
  return spends;
}

factViewContract({
  name: "the cost of requests",
  open() {
    const { spends, spend } = recorder();
    return { view: spend, kept: () => spends };
  },
});

describe("the cost of a day", () => {
  it.each<[string, Fact]>([
    ["a reply", { ...reply, parts: [], ...spent }],
    ["a summary that came to nothing", { ...failed, ...spent }],
    ["an attempt that was void", { ...retry, ...spent }],
    ["a title", { sessionUpdate: "session_info_update", title: "Tests", ...spent }],
    ["a check of a goal", { ...checked, ...spent }],
  ])("includes %s", (_name, fact) => {
    expect(spendsOf(fact)).toEqual([{ at, sessionId: "s", ...spent }]);
  });

  it("says once in the session that it is not kept, and where", async () => {
    const add = () => {
      throw Object.assign(new Error("x"), { code: "EEXIST", path: "/home/spend", syscall: "mkdir" });
    };
    const ledger = { folder: "/home/spend", add, of: () => [], usdOf: () => 0 };
    const spend = new SpendRecorder({ ledger, clock: new ManualClock(), report: () => undefined });
    const warnings: string[] = [];
    spend.onOpened({ session: { sessionId: "s", warn: (title, text) => warnings.push(`${title} ${text}`) } });
    const fact = { sessionId: "s", at, agentId: "main", update: { ...reply, ...spent, parts: [] } };
    for (const seq of [1, 2]) spend.see({ ...fact, seq });
    await Promise.resolve();
    expect(warnings).toEqual([
      expect.stringMatching(/^Costs per day are not counted.*a file where a folder should be.*\/home\/spend/),
    ]);
  });

  it("excludes turns without a request to a model", () => {
    expect(spendsOf(failed, retry, { sessionUpdate: "state_update", state: "idle", cost: spent.cost })).toEqual([]);
  });
});
