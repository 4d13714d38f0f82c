import {
  type Failure,
  NO_COST,
  type SessionUpdate,
  type StopReason,
  type ToolOutcome,
  type Usage,
} from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../process/exit-codes.ts";
import { RunReport } from "./run-report.ts";
import type { RunResult } from "./run-result.ts";

type Update = SessionUpdate["update"];

let seq = 0;
function fact(update: Update, agentId = "main"): SessionUpdate {
  seq += 1;
  return { sessionId: "s", seq, at: "2026-11-21T12:00:00.000Z", agentId, turnId: "t1", update };
}

function says(text: string, usage?: Usage, more: Partial<Extract<Update, { sessionUpdate: "agent_message" }>> = {}) {
  const update: Update = {
    sessionUpdate: "agent_message",
    messageId: `m${seq}`,
    parts: [{ type: "text", text }],
    stop: "end",
    ...(usage ? { usage } : {}),
    provider: "openai",
    model: "gpt",
    ...more,
  };
  return update;
}

const idle = (stopReason?: StopReason, error?: Failure): Update => ({
  sessionUpdate: "state_update",
  state: "idle",
  ...(stopReason ? { stopReason } : {}),
  ...(error ? { error } : {}),
});

function call(toolCallId: string, name: string, title: string, outcome: Partial<ToolOutcome>): Update[] {
  const whole: ToolOutcome = { status: "ok", text: "done", blocks: [], durationMs: 1, ...outcome };
  return [
    { sessionUpdate: "tool_call_update", toolCallId, status: "pending", name, title },
    { sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" },
    { sessionUpdate: "tool_call_update", toolCallId, status: "completed", outcome: whole },
  ];
}

const diff = (path: string) => ({
  type: "diff" as const,
  path,
  change: "modify" as const,
  hunks: "",
  added: 1,
  removed: 0,
});

function reportOf(...updates: Update[]): RunReport {
  const report = new RunReport();
  for (const update of updates) report.see(fact(update));
  return report;
}

/** The result of a run that was not stopped from outside. */
function resultOf(...updates: Update[]): RunResult {
  const report = reportOf(...updates);
  return report.result({ ending: report.ending ?? "failed", sessionId: "s", isStored: false, durationMs: 12.6 });
}

describe("the result of a turn", () => {
  const failure = (kind: Failure["kind"]): Failure => ({ kind, message: `It was ${kind}.` });

  it.each<[StopReason | undefined, Failure | undefined, keyof typeof exitCodes, RunResult["subtype"]]>([
    ["end_turn", undefined, "done", "success"],
    ["max_tokens", undefined, "limit", "limit"],
    ["max_turn_requests", undefined, "limit", "limit"],
    ["loop", undefined, "limit", "limit"],
    ["cancelled", undefined, "interrupted", "cancelled"],
    ["refusal", undefined, "failed", "error"],
    ["interrupted", undefined, "failed", "error"],
    ["error", undefined, "failed", "error"],
    [undefined, undefined, "failed", "error"],
    ["error", failure("auth"), "config", "error"],
    ["error", failure("config"), "config", "error"],
    ["error", failure("rateLimit"), "failed", "error"],
    ["error", failure("overflow"), "context", "error"],
    ["error", failure("truncated"), "context", "error"],
    ["error", failure("network"), "failed", "error"],
    ["error", failure("refused"), "failed", "error"],
    ["error", failure("badRequest"), "failed", "error"],
    ["error", failure("internal"), "failed", "error"],
    ["error", failure("hook"), "failed", "error"],
  ])("%s, %j is %s (%s)", (stopReason, error, ending, subtype) => {
    const result = resultOf(says("words"), idle(stopReason, error));
    expect(result).toMatchObject({
      type: "result",
      subtype,
      isError: ending !== "done",
      exitCode: exitCodes[ending].code,
      stopReason: stopReason ?? null,
      result: "words",
    });
    if (error) expect(result.error).toMatchObject(error);
    else if (ending === "done") expect(result.error).toBeUndefined();
    else expect(result.error?.message).toMatch(/^[A-Z].*\.$|\)\.$/);
    expect(result.error?.retryable ?? false).toBe(error?.kind === "network" || error?.kind === "rateLimit");
  });

  it.each([
    ["denied", "denied"],
    ["limit", "limit"],
    ["interrupted", "cancelled"],
    ["terminated", "cancelled"],
    ["hungUp", "cancelled"],
    ["usage", "error"],
    ["session", "error"],
    ["config", "error"],
  ] as const)("is %s from outside and reported as %s", (ending, subtype) => {
    const report = reportOf(says("so far"), idle("cancelled"));
    const error = { kind: ending, message: "Because." };
    expect(report.result({ ending, sessionId: null, isStored: true, durationMs: 1, error })).toMatchObject({
      subtype,
      isError: true,
      exitCode: exitCodes[ending].code,
      stopReason: "cancelled",
      result: "so far",
      sessionId: null,
      error: { ...error, retryable: false },
    });
  });

  it("is unknown before the first turn ends", () => {
    expect(reportOf(says("words")).ending).toBeUndefined();
    expect(reportOf().result({ ending: "failed", sessionId: null, isStored: true, durationMs: 0 })).toMatchObject({
      stopReason: null,
      result: "",
      turns: 0,
      usage: {},
      models: {},
      permissionDenials: [],
      mcpServers: [],
      filesChanged: [],
    });
  });

  it("names the way to go on after a limit, where the session can be opened again", () => {
    const report = reportOf(says("so far"), idle("max_turn_requests"));
    const messageOf = (isStored: boolean) =>
      report.result({ ending: "limit", sessionId: "s", isStored, durationMs: 1 }).error?.message;
    expect(messageOf(true)).toBe(`${messageOf(false)}\nContinue with: harness run --resume s /continue`);
    const failed = reportOf(idle("error", { kind: "network", message: "Gone." }));
    const { error } = failed.result({ ending: "failed", sessionId: "s", isStored: true, durationMs: 1 });
    expect(error?.message).toBe("Gone.");
  });

  it("comes from the root agent only", () => {
    const report = new RunReport();
    expect(report.see(fact(idle("end_turn"), "agent-2"))).toBe(false);
    expect(report.see(fact({ sessionUpdate: "state_update", state: "waiting" }))).toBe(false);
    expect(report.see(fact(idle("end_turn")))).toBe(true);
  });

  it("is the first failure of several turns, without cancelled ones", () => {
    const error: Failure = { kind: "network", message: "Gone." };
    expect(resultOf(idle("error", error), says("later"), idle("end_turn"))).toMatchObject({ exitCode: 1, error });
    expect(resultOf(idle("end_turn"), idle("loop"), idle("end_turn"))).toMatchObject({
      exitCode: 5,
      stopReason: "loop",
    });
    expect(resultOf(idle("cancelled"), idle("end_turn"))).toMatchObject({ exitCode: 0, stopReason: "end_turn" });
    expect(resultOf(idle("end_turn"), idle("cancelled"))).toMatchObject({ exitCode: 130, subtype: "cancelled" });
  });
});

describe("the report of a run", () => {
  it("holds the last text addressed to the person", () => {
    const call = { type: "tool_call" as const, toolCallId: "c1", name: "ls", input: {} };
    const parts = [{ type: "text" as const, text: "I look." }, call];
    expect(
      resultOf(says("", undefined, { parts, stop: "tool_calls" }), says("Found it."), idle("end_turn")).result,
    ).toBe("Found it.");
    expect(resultOf(says("Words."), says("\n"), idle("end_turn")).result).toBe("Words.");
    const report = reportOf(says("Mine."));
    report.see(fact(says("Of a child."), "agent-2"));
    expect(report.answer).toBe("Mine.");
  });

  it("sums the usage of all agents, and by model; unreported values stay absent", () => {
    const report = reportOf(
      says("a", { inputTokens: 100, outputTokens: 10, cacheReadTokens: 50 }),
      says("b", { inputTokens: 200, outputTokens: 20, reasoningTokens: 5 }),
      says("c"),
      says("d", { inputTokens: 7 }, { provider: "ollama", model: "qwen" }),
    );
    report.see(fact(says("e", { inputTokens: 1000, outputTokens: 1 }), "agent-2"));
    const { usage, models, turns, durationMs } = report.result({
      ending: "done",
      sessionId: "s",
      isStored: true,
      durationMs: 12.6,
    });
    expect(usage).toEqual({ inputTokens: 1307, outputTokens: 31, cacheReadTokens: 50, reasoningTokens: 5 });
    expect(models).toEqual({
      "openai/gpt": { inputTokens: 1300, outputTokens: 31, cacheReadTokens: 50, reasoningTokens: 5, cost: NO_COST },
      "ollama/qwen": { inputTokens: 7, cost: NO_COST },
    });
    expect(turns).toBe(4);
    expect(durationMs).toBe(13);
  });

  it("sums the cost of all agents and summaries, and counts requests of unknown price", () => {
    const summary: Update = {
      sessionUpdate: "compaction_update",
      compactionId: "k1",
      reason: "auto",
      summary: "They talked.",
      keepFromSeq: 1,
      tokensBefore: 10,
      tokensAfter: 5,
      usage: { inputTokens: 10 },
      cost: { usd: 0.5, unpricedRequests: 0 },
      provider: "openai",
      model: "gpt",
    };
    const report = reportOf(says("a", { inputTokens: 1 }, { cost: { usd: 0.25, unpricedRequests: 0 } }), summary);
    report.see(fact(says("b", {}, { model: "new", cost: { usd: 0, unpricedRequests: 1 } }), "agent-2"));
    const { cost, usage, models } = report.result({ ending: "done", sessionId: "s", isStored: true, durationMs: 1 });
    expect(cost).toEqual({ usd: 0.75, unpricedRequests: 1 });
    expect(usage).toEqual({ inputTokens: 11 });
    expect(models).toEqual({
      "openai/gpt": { inputTokens: 11, cost: { usd: 0.75, unpricedRequests: 0 } },
      "openai/new": { cost: { usd: 0, unpricedRequests: 1 } },
    });
  });

  it("lists repairs", () => {
    const repaired: Update = {
      sessionUpdate: "repair",
      messageId: "m1",
      what: "text_call",
      detail: "A call stood in the text.",
    };
    expect(resultOf(says("a"), repaired, idle("end_turn")).repairs).toEqual([
      { type: "text_call", detail: "A call stood in the text." },
    ]);
  });

  it("lists the denied calls of every agent", () => {
    const report = reportOf(...call("c1", "bash", "rm -rf /", { status: "denied", text: "Nobody can be asked." }));
    for (const update of call("c2", "write", "write a.ts", { status: "denied", text: "A rule says no." }))
      report.see(fact(update, "agent-2"));
    expect(report.result({ ending: "done", sessionId: "s", isStored: true, durationMs: 1 }).permissionDenials).toEqual([
      { agentId: "main", tool: "bash", title: "rm -rf /", reason: "Nobody can be asked." },
      { agentId: "agent-2", tool: "write", title: "write a.ts", reason: "A rule says no." },
    ]);
  });

  it("lists files changed by successful calls, each once and sorted", () => {
    const result = resultOf(
      ...call("c1", "edit", "edit b", { blocks: [diff("/w/b.ts")] }),
      ...call("c2", "write", "write a", { blocks: [diff("/w/a.ts")] }),
      ...call("c3", "edit", "edit b", { blocks: [diff("/w/b.ts")] }),
      ...call("c4", "edit", "edit c", { status: "error", blocks: [diff("/w/c.ts")] }),
      ...call("c5", "edit", "edit d", { status: "denied", blocks: [diff("/w/d.ts")] }),
      ...call("c6", "bash", "ls", { blocks: [{ type: "text", text: "x" }] }),
      idle("end_turn"),
    );
    expect(result.filesChanged).toEqual(["/w/a.ts", "/w/b.ts"]);
  });

  it("ignores unknown kinds of updates", () => {
    const news = { sessionUpdate: "from_the_future", state: "idle" } as unknown as Update;
    expect(resultOf(news, says("words"), idle("end_turn"))).toMatchObject({ exitCode: 0, result: "words" });
  });
});
