import {
  type CallResult,
  type CallSteps,
  EMPTY_DRAFT,
  type ResultStep,
  type StageState,
  type Step,
  StepError,
  type Turn,
} from "@harness/core";
import { isRecord } from "@harness/host";
import type { ToolCallPart } from "@harness/protocol";
import type { JsonObject } from "../contract/json-answer.ts";
import { type AnyState, changedCall, stateFromJson } from "../contract/stage-json.ts";
import type { HookEntry } from "../stage-names.ts";
import type { CallAsks } from "./call-asks.ts";
import { type HookWork, namedCall, refusalBy, wordsOfFailure } from "./hook-work.ts";

type ToolExec = Extract<AnyState, { toolCalls: unknown; nextState?: undefined }>;

/**
 * A hook before `10-exec`: it gets the queue of calls once for each call, with that call first, and may change or
 * refuse it. Calls that it lets through go to the gate.
 */
export function beforeCalls(hook: HookEntry, work: HookWork, asks: CallAsks): Step<Turn> {
  return {
    stage: "tool_exec",
    name: hook.name,
    run: async (state, turn) => {
      if (state.nextState !== undefined) return state;
      let now: ToolExec = state;
      for (const { toolCallId } of state.toolCalls) {
        if (turn.signal.aborted) break;
        if (now.refused[toolCallId] === undefined) now = await judgeCall(hook, toolCallId, now, turn, { work, asks });
      }
      return now;
    },
  };
}

async function judgeCall(
  hook: HookEntry,
  toolCallId: string,
  state: ToolExec,
  turn: Turn,
  { work, asks }: { work: HookWork; asks: CallAsks },
): Promise<ToolExec> {
  const at = state.toolCalls.findIndex((part) => part.toolCallId === toolCallId);
  const queue = state.toolCalls.slice(at).map((part) => namedCall(turn, part));
  const [given = {}] = queue;
  const part = state.toolCalls[at];
  const result = await work.run(hook, { tool_calls: queue }, turn);
  if (result.outcome === "cancelled" || !part) return state;
  const refuse = (words: string): ToolExec => ({ ...state, refused: { ...state.refused, [toolCallId]: words } });
  if (result.outcome !== "ok") return refuse(refusalBy(hook, result));
  const { tool_calls: kept, decision, reason } = result.answer;
  const words = typeof reason === "string" && reason.trim() !== "" ? reason.trim() : undefined;
  if (decision === "deny" || decision === "block")
    return refuse(refusalBy(hook, { outcome: "refused", words: words ?? "", exit: `decision ${decision}` }));
  if (decision === "ask") asks.add(turn.agent.agentId, toolCallId, words ?? `the hook ${hook.path} gave no reason`);
  if (kept === undefined) return state;
  if (!Array.isArray(kept))
    return refuse(`is refused: the hook ${hook.name} answered with tool_calls that are not a list`);
  const answer: unknown = kept.find((each) => isRecord(each) && each.id === toolCallId);
  if (answer === undefined) return refuse(`is refused: the hook ${hook.name} removed it`);
  const changed = changedCall(part, given, answer);
  if (!changed) return refuse(`is refused: the hook ${hook.name} left it without a name or an input`);
  if (changed === part) return state;
  recordChange(turn, state, changed, hook);
  return { ...state, toolCalls: state.toolCalls.with(at, changed) };
}

/** The log has the reply as the model wrote it: a changed call is recorded as a fact of its own. */
function recordChange(
  turn: Turn,
  { reply }: ToolExec,
  { toolCallId, name, input }: ToolCallPart,
  hook: HookEntry,
): void {
  const shown = JSON.stringify(input).slice(0, 500).toWellFormed();
  const detail = `The hook ${hook.name} has changed it: \`${name}\` with ${shown}.`;
  turn.record({ sessionUpdate: "repair", messageId: reply.messageId, toolCallId, what: "arguments", detail });
}

/**
 * `after`: hooks of tool_exec after `10-exec`; `exec`: one that replaces it; `saving`: hooks of tool_done before
 * `10-save`.
 */
export type CallHooks = { exec: HookEntry | undefined; after: readonly HookEntry[]; saving: readonly HookEntry[] };

export function callSteps({ exec, after, saving }: CallHooks, work: HookWork): CallSteps<Turn> {
  return {
    exec: exec && ((call, turn, signal) => runBy(exec, call, turn, signal, work)),
    afterRun: after.map((hook) => resultStep(hook, { next_state: "tool_done" }, work)),
    beforeSave: saving.map((hook) => resultStep(hook, {}, work)),
  };
}

async function runBy(
  hook: HookEntry,
  call: Omit<CallResult, "text" | "isError">,
  turn: Turn,
  signal: AbortSignal,
  work: HookWork,
): Promise<CallResult> {
  const { toolCallId, name, input } = call;
  const queue = [{ id: toolCallId, name, input }, ...callsAfter(turn, toolCallId)];
  const done = await work.run(hook, { tool_calls: queue }, turn, signal);
  if (done.outcome === "cancelled") return { ...call, text: "cancelled while it ran.", isError: true };
  if (done.outcome !== "ok") return { ...call, text: `The hook ${hook.name} ${wordsOfFailure(done)}.`, isError: true };
  const { result, error } = done.answer;
  if (result === undefined) return { ...call, text: `The hook ${hook.name} gave no result.`, isError: true };
  return { ...call, text: textOf(result), isError: isError(error) };
}

function resultStep(hook: HookEntry, next: JsonObject, work: HookWork): ResultStep<Turn> {
  return async (result, turn, signal) => {
    const done = await work.run(hook, { ...resultToJson(result, turn), ...next }, turn, signal);
    if (done.outcome === "cancelled") return result;
    if (done.outcome !== "ok") {
      if (hook.stage === "tool_done") throw work.failure(hook, done);
      throw new StepError(`Its result ${refusalBy(hook, done)}.`);
    }
    const { answer } = done;
    return {
      ...result,
      ...(answer.result !== undefined && { text: textOf(answer.result) }),
      ...(answer.error !== undefined && { isError: isError(answer.error) }),
    };
  };
}

function resultToJson({ toolCallId, name, input, text, isError }: CallResult, turn: Turn): JsonObject {
  return { call_id: toolCallId, name, input, result: text, error: isError, tool_calls: callsAfter(turn, toolCallId) };
}

/** The later calls of the same reply, if the reply is in the log. */
function callsAfter(turn: Turn, toolCallId: string): JsonObject[] {
  const last = turn.agent.projection.messages.findLast(({ role }) => role === "assistant");
  const parts = last?.role === "assistant" ? last.parts.filter((part) => part.type === "tool_call") : [];
  const at = parts.findIndex((part) => part.toolCallId === toolCallId);
  return at < 0 ? [] : parts.slice(at + 1).map((part) => namedCall(turn, part));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isError(value: unknown): boolean {
  return value === true || value === "true" || value === 1;
}

/** A hook that replaces `10-save`: it gets each result, which is already stored, and decides how the turn continues. */
export function saveStep(hook: HookEntry, work: HookWork): Step<Turn> {
  return {
    stage: "tool_done",
    name: "10-save",
    run: async (state, turn) => {
      if (state.nextState !== undefined) return state;
      let last: StageState<"tool_done"> = { ...EMPTY_DRAFT, nextState: "assemble" };
      for (const { toolCallId, name, args, text, isError: error } of state.results) {
        if (turn.signal.aborted) return last;
        const result = { toolCallId, name, input: args, text, isError: error };
        const done = await work.run(hook, resultToJson(result, turn), turn);
        if (done.outcome === "cancelled") break;
        if (done.outcome !== "ok") throw work.failure(hook, done);
        // The queue is empty: all its calls have run. An empty answer goes on as well.
        const { next_state: next = "assemble", ...rest } = done.answer;
        const named = { ...rest, next_state: next === "tool_exec" ? "assemble" : next };
        const from = { messageId: "", provider: "", model: "" };
        const read = stateFromJson(named, state, { hook: hook.name, from, output: turn.output });
        if ("problem" in read) throw work.failure(hook, { outcome: "failed", words: read.problem, exit: "" });
        last = read.state as StageState<"tool_done">;
      }
      return last;
    },
  };
}
