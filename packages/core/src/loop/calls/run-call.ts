import type { Approval, GateCall, Requester } from "@harness/gate";
import { cancellable, readsSecrets, runsOnlyReaders, withGrace } from "@harness/gate";
import { ROOT_AGENT, type ToolOutcome } from "@harness/protocol";
import { CallFileLedger } from "../../context/files/call-file-ledger.ts";
import { canBeAskedAgain } from "../../context/shrinking/useless-results.ts";
import { LogWriteError } from "../../ports/session-log.ts";
import type { ToolApproval, ToolContext, ToolResult } from "../../ports/tool.ts";
import { askPerson } from "../questions/ask-person.ts";
import { isBesideWorkspace, isStaging, reviewBefore } from "../review/review-edits.ts";
import { StepError } from "../stages/stage.ts";
import type { RequestCost } from "../turn/side-request.ts";
import type { Turn } from "../turn/turn.ts";
import { applyResultSteps } from "./apply-result-steps.ts";
import { askModel } from "./ask-model.ts";
import type { AskSlot } from "./ask-queue.ts";
import type { BatchCheck } from "./batch-check.ts";
import { fileExtracts } from "./file-extracts.ts";
import { boundCall, failedText, type PreparedCall, type ReadyCall, reachOf } from "./prepare-call.ts";
import { resultTexts } from "./result-texts.ts";
import { limitFor, stoppedText, timeLimit } from "./tool-limits.ts";
import { watchingFiles } from "./watched-files.ts";

/** The context of core's own tools, which also know their call and turn. */
export type CallContext = ToolContext & { caller: { turn: Turn; toolCallId: string } };

/** Maximum characters of live output; the result has all of it. */
const MAX_LIVE_OUTPUT = 1_000_000;

/** A call among the others of its reply. */
type ReplyCallOptions = { slot?: AskSlot; batch?: BatchCheck };

/**
 * Takes one call through the gate and runs it, in queue order if it has a position. Its end is always recorded; throws
 * only `LogWriteError`.
 */
export async function runCall(
  turn: Turn,
  call: PreparedCall,
  signal: AbortSignal,
  { slot, batch }: ReplyCallOptions = {},
): Promise<ToolOutcome> {
  await turn.runtime.pace();
  const ran =
    call.kind === "answered"
      ? plain(call.status, call.text, call.shown)
      : await passAndRun(turn, call, { signal, place: slot, batch });
  const answer = batch ? await batch.after(call, ran, signal) : ran;
  const onFailure = (error: StepError) => turn.failStep(error);
  const outcome = await applyResultSteps(turn.callSteps.beforeSave, call, answer, { turn, signal, onFailure });
  const { toolCallId } = call;
  const status = outcome.status === "ok" ? "completed" : "failed";
  turn.record({ sessionUpdate: "tool_call_update", toolCallId, status, outcome });
  return outcome;
}

type Passage = { signal: AbortSignal; place: AskSlot | undefined; batch: BatchCheck | undefined };

async function passAndRun(turn: Turn, prepared: ReadyCall, { signal, place, batch }: Passage): Promise<ToolOutcome> {
  const { scope } = turn;
  const { toolCallId } = prepared;
  if (signal.aborted) return notRun();
  const requester = requesterOf(turn, signal);
  const ready = await boundCall(prepared, callTrace(turn, prepared, signal).context, turn.runtime.report);
  if ("problem" in ready) return plain(signal.aborted ? "cancelled" : "error", ready.problem);
  if (place) await cancellable(place.reached, signal, () => undefined);
  const held = await reviewBefore(turn, ready, requester);
  if (held && "refusal" in held) return plain(signal.aborted ? "cancelled" : "denied", held.refusal);
  const call = held ? { ...ready, notes: [...ready.notes, held.note] } : ready;
  const trace = callTrace(turn, call, signal);
  const gateCall = atGate(turn, call, trace.context);
  for (;;) {
    const evaluated = scope.calls.gate.evaluate(gateCall, requester);
    place?.leave();
    const decided = await evaluated;
    if (decided.verdict === "denied") return plain("denied", decided.text, decided.shown);
    if (decided.verdict === "failed") return plain("error", decided.text, decided.shown);
    if (decided.verdict === "cancelled") return notRun();
    const release = await slotFor(turn, gateCall, signal);
    if (!release) {
      scope.calls.gate.withdraw(gateCall, decided.approval);
      return notRun();
    }
    try {
      await scope.calls.checkpoints.beforeCall(scope.agents.get(ROOT_AGENT)?.turn, gateCall.category, decided.approval);
      await batch?.before(call, decided.approval, signal);
      await scope.calls.gate.look(gateCall, requester);
      if (signal.aborted) {
        scope.calls.gate.withdraw(gateCall, decided.approval);
        return notRun();
      }
      // Nothing is awaited between this check and the tool, so that exactly what was judged runs.
      const now = scope.calls.gate.confirm(gateCall, decided.approval, requester);
      if (now.verdict === "again") continue;
      if (now.verdict === "denied") return plain("denied", now.text, now.shown);
      // Recorded before it runs, so that after a crash it does not look as if it had not run.
      const secrets = readsSecrets(now.approval) ? { readsSecrets: true as const } : {};
      const looks = canBeAskedAgain(gateCall) ? { looks: true as const } : {};
      // A program that replaces the tool may do anything.
      const changesNothing = !turn.callSteps.exec && runsOnlyReaders(now.approval);
      const harmless = changesNothing ? { changesNothing: true as const } : {};
      const facts = { ...secrets, ...looks, ...harmless };
      turn.record({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", ...facts });
      const ran = await runTool(turn, call, trace, { ...now.approval, ...harmless });
      const steps = () => applyResultSteps(turn.callSteps.afterRun, prepared, ran, { turn, signal });
      const outcome = await watchingFiles(turn, call.tool, ran, steps);
      auditEnd(turn, toolCallId, outcome);
      return outcome;
    } finally {
      release();
    }
  }
}

/** A call that speaks to the loop, or waits for the user or a subagent, takes no slot from working calls. */
async function slotFor({ agent, scope }: Turn, { category }: GateCall, signal: AbortSignal) {
  const { root, subagents } = scope.calls.slots;
  if (category === "signal") return signal.aborted ? undefined : () => undefined;
  return await (agent.depth === 0 ? root : subagents).take(signal);
}

/** True if the call may run at once, without asking the user. Records nothing. */
export async function needsNoQuestion(turn: Turn, call: ReadyCall, signal: AbortSignal): Promise<boolean> {
  const gateCall = atGate(turn, call, callTrace(turn, call, signal).context);
  // A call with `bind` looks at its subject only when its turn comes.
  if (gateCall.category === "signal" || call.tool.bind || signal.aborted) return false;
  return await turn.scope.calls.gate.allowsUnasked(gateCall, requesterOf(turn, signal));
}

function auditEnd({ scope }: Turn, toolCallId: string, { status, durationMs, blocks }: ToolOutcome): void {
  const { gate, log } = scope.ports;
  const terminal = blocks.find((block) => block.type === "terminal");
  const exit = terminal ? { exitCode: terminal.exitCode } : {};
  gate.audit.ended({ sessionId: log.header.sessionId, toolCallId, durationMs, status, ...exit });
}

function atGate(turn: Turn, call: ReadyCall, context: CallContext): GateCall {
  const { toolCallId, tool, title, foundInText, refusal } = call;
  return {
    ...reachOf(call, context.cwd),
    agentId: turn.agent.agentId,
    toolCallId,
    foundInText,
    ...(isBesideWorkspace(turn, call) ? { isStaged: true } : {}),
    ...(refusal === undefined ? {} : { refusal }),
    tool: tool.name,
    ...(tool.area ? { area: tool.area } : {}),
    title,
    preview: (realPaths) => previewOf(turn, call, context, realPaths),
  };
}

function requesterOf(turn: Turn, signal: AbortSignal): Requester {
  return {
    agentId: turn.agent.agentId,
    turnId: turn.turnId,
    ...(turn.agent.place ? { workspace: turn.agent.place.cwd } : {}),
    signal,
    record: (update) => turn.record(update),
    whileAsking: (ask) => turn.whileAsking(ask),
  };
}

/** Everything a call leaves behind besides its result, and whether it has ended. */
type CallTrace = { context: CallContext; files: CallFileLedger; spilled: string | undefined; isOver: boolean };

function callTrace(turn: Turn, call: ReadyCall, signal: AbortSignal): CallTrace {
  const { toolCallId } = call;
  const caller = { turn, toolCallId };
  let offset = 0;
  const files = new CallFileLedger(turn.agent.files);
  // A separate fact: the cost counts even if the call never ends.
  const onSpent = (spent: RequestCost) =>
    void turn.record({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", ...spent });
  const context: CallContext = {
    caller,
    agentId: turn.agent.agentId,
    cwd: turn.cwd,
    traceparent: turn.runtime.traceparentOf?.(turn.scope.ports.log.header.sessionId, toolCallId),
    signal,
    files,
    staged: isStaging(turn, call) ? stagedBy(caller) : undefined,
    extracts: fileExtracts(turn, onSpent),
    askModel: (question, until) => askModel(turn, question, { signal: until, onSpent }),
    emit: (text) => {
      if (trace.isOver || text === "" || offset > MAX_LIVE_OUTPUT) return;
      turn.delta({ sessionUpdate: "tool_output_chunk", toolCallId, offset, text });
      offset += text.length;
    },
    spill: (suffix) => {
      trace.spilled = newBlob(turn, suffix);
      return trace.spilled;
    },
    ask: (question, until) => askPerson(turn, question, until),
  };
  const trace: CallTrace = { context, files, spilled: undefined, isOver: false };
  return trace;
}

function stagedBy({ turn, toolCallId }: CallContext["caller"]) {
  const { agentId } = turn.agent;
  return turn.scope.calls.review.changes({ agentId, toolCallId }, (update) => turn.record(update));
}

/** The tool reports this failure itself: the log may still work. */
function newBlob(turn: Turn, suffix: string): string {
  try {
    return turn.scope.ports.log.newBlob(suffix);
  } catch (error) {
    if (!(error instanceof LogWriteError)) throw error;
    throw new Error(error.message);
  }
}

async function previewOf(turn: Turn, call: ReadyCall, context: CallContext, realPaths: Approval["realPaths"]) {
  try {
    return await call.tool.preview?.(call.args, context, { realPaths });
  } catch (error) {
    turn.runtime.report(error, `preview of ${call.tool.name}`);
    return undefined;
  }
}

async function runTool(turn: Turn, call: ReadyCall, trace: CallTrace, approval: ToolApproval): Promise<ToolOutcome> {
  const { clock, report } = turn.runtime;
  const startedMs = clock.monotonicMs();
  const { context, files } = trace;
  const { signal } = context;
  const durationMs = () => Math.max(0, Math.round(clock.monotonicMs() - startedMs));
  const seen = () => (files.files.length > 0 ? { files: files.files } : {});
  const maxMs = limitFor(turn.scope.settings.values.toolLimits.runMs, call.tool);
  const limit = timeLimit(maxMs, signal, clock);
  try {
    const run =
      runsByItself(turn, call, limit.signal) ?? runsByTool(call, { ...context, signal: limit.signal }, approval);
    const late: ToolResult = { status: "error", text: "It did not stop when asked to.", blocks: [] };
    const result = await withGrace(run, limit.signal, clock, () => late);
    const { text, blocks } = resultTexts(turn, call, result, trace.spilled);
    const { images } = result;
    const status = signal.aborted ? "cancelled" : limit.isOver ? "error" : result.status;
    const shown = limit.signal.aborted ? `${stoppedText(call.tool, signal, maxMs)} What it had said:\n${text}` : text;
    return {
      status,
      text: shown,
      blocks,
      ...(images && images.length > 0 ? { images } : {}),
      ...seen(),
      durationMs: durationMs(),
    };
  } catch (error) {
    if (error instanceof LogWriteError) throw error;
    if (limit.signal.aborted) {
      const status = signal.aborted ? "cancelled" : "error";
      return { ...plain(status, stoppedText(call.tool, signal, maxMs)), ...seen(), durationMs: durationMs() };
    }
    report(error, `tool ${call.tool.name}`);
    return { ...plain("error", failedText(call.tool.name)), ...seen(), durationMs: durationMs() };
  } finally {
    limit.end();
    trace.isOver = true;
  }
}

async function runsByTool(
  { tool, args }: ReadyCall,
  context: CallContext,
  approval: ToolApproval,
): Promise<ToolResult> {
  return await tool.run(args, context, approval);
}

/** Runs the call through an extension instead of its tool; calls that speak to the loop are never replaced. */
function runsByItself(turn: Turn, call: ReadyCall, signal: AbortSignal): Promise<ToolResult> | undefined {
  const { exec } = turn.callSteps;
  const { tool, toolCallId, name, args, input } = call;
  if (!exec || (tool.categoryOf?.(args) ?? tool.category) === "signal") return undefined;
  return exec({ toolCallId, name, input }, turn, signal).then(
    ({ text, isError }) => ({ status: isError ? "error" : "ok", text, blocks: [{ type: "text", text }] }),
    (error: unknown) => {
      if (error instanceof StepError) return { status: "error", text: error.message, blocks: [] };
      throw error;
    },
  );
}

/** `shown`: for people, if the status alone does not say it. */
function plain(status: ToolOutcome["status"], text: string, shown?: string): ToolOutcome {
  const blocks = shown === undefined ? [] : [{ type: "text" as const, text: shown }];
  return { status, text, blocks, durationMs: 0 };
}

function notRun(): ToolOutcome {
  return plain("cancelled", "cancelled: the person stopped it before it ran.");
}
