import type { ToolCallPart, ToolOutcome } from "@harness/protocol";
import type { CallEnd, CallsToAnswer, Reply } from "../stages/stage-value.ts";
import type { ReplyCalls } from "../turn/reply-calls.ts";
import type { Turn } from "../turn/turn.ts";
import { AskQueue, type AskSlot } from "./ask-queue.ts";
import { BatchCheck } from "./batch-check.ts";
import { CallQueue } from "./call-queue.ts";
import { type PreparedCall, pendingCall, prepareCall } from "./prepare-call.ts";
import { needsNoQuestion, runCall } from "./run-call.ts";

type ReplyFrom = Pick<Reply, "messageId" | "provider" | "model">;

/** A call that arrived before its reply was complete. `end` is undefined if it never ran and never will. */
type OfferedCall = {
  part: ToolCallPart;
  call: PreparedCall;
  hasStarted: boolean;
  end: Promise<ToolOutcome | undefined>;
};

/** A call that takes longer and ends well has waited for something. */
const LONG_CALL_MS = 10_000;

const asSent = { isCut: false, isTooMany: false, isTooDeep: false };

/**
 * The calls of a reply, from the first complete one to the last result. A call starts while the reply still streams if
 * no earlier call blocks it and the user does not have to be asked; its start is recorded as a fact first.
 */
export class CallStream implements ReplyCalls {
  readonly started: ToolCallPart[] = [];
  readonly #turn: Turn;
  readonly #from: ReplyFrom;
  readonly #queue: CallQueue;
  readonly #asked = new AskQueue();
  readonly #batch: BatchCheck;
  readonly #offered = new Map<string, OfferedCall>();
  /** Resolves with whether the calls that wait for the end of the reply should run. */
  readonly #whole = Promise.withResolvers<boolean>();
  #isStreaming = true;

  constructor(turn: Turn, from: ReplyFrom) {
    this.#turn = turn;
    this.#from = from;
    this.#queue = new CallQueue(turn);
    this.#batch = new BatchCheck(turn);
  }

  get isFull(): boolean {
    return this.#offered.size >= this.#turn.scope.settings.values.limits.maxToolCalls;
  }

  offer(sentId: string, part: ToolCallPart): void {
    const call = prepareCall(this.#turn, part, asSent);
    this.#batch.enter(call);
    const offered: OfferedCall = { part, call, hasStarted: false, end: Promise.resolve(undefined) };
    offered.end = this.#run(offered);
    // Awaited when the reply is over.
    offered.end.catch(() => undefined);
    this.#offered.set(sentId, offered);
  }

  named(sentId: string): ToolCallPart | undefined {
    return this.#offered.get(sentId)?.part;
  }

  async answer({ reply, toolCalls: parts, tooDeep, refused }: CallsToAnswer): Promise<CallEnd[]> {
    this.#isStreaming = false;
    const { maxToolCalls } = this.#turn.scope.settings.values.limits;
    const unsure = mayBeCut(this.#turn, reply) ? reply.parts.at(-1) : undefined;
    const offered = new Map([...this.#offered.values()].map((each) => [each.part.toolCallId, each]));
    const deep = new Set(tooDeep);
    const calls = parts.map((part, index) => {
      const known = offered.get(part.toolCallId);
      if (known?.hasStarted) return known.call;
      const isTooDeep = deep.has(part.toolCallId);
      const call = prepareCall(this.#turn, part, {
        isCut: part === unsure,
        isTooMany: index >= maxToolCalls,
        isTooDeep,
        refusal: refused[part.toolCallId],
      });
      if (known) known.call = call;
      return call;
    });
    for (const call of calls) {
      this.#announce(call, offered.get(call.toolCallId)?.hasStarted ?? false);
      if (!offered.get(call.toolCallId)?.hasStarted) this.#batch.enter(call);
    }
    this.#batch.complete();
    this.#whole.resolve(true);
    const isOnly = calls.length === 1;
    const ends = calls.map((call) => offered.get(call.toolCallId)?.end ?? this.#answer(call, isOnly));
    const outcomes = await allOrFirstFailure(ends);
    return calls.map(({ toolCallId, name, args }, index): CallEnd => {
      const outcome = outcomes[index];
      const isWaiting = outcome !== undefined && hasWaited(outcome);
      return { toolCallId, name, args, text: outcome?.text ?? "", isError: outcome?.status !== "ok", isWaiting };
    });
  }

  close(): void {
    this.#isStreaming = false;
    this.#batch.complete();
    this.#whole.resolve(false);
  }

  async settle(): Promise<void> {
    this.close();
    await allOrFirstFailure([...this.#offered.values()].map(({ end }) => end));
  }

  #announce(call: PreparedCall, hasStarted: boolean): void {
    const { messageId } = this.#from;
    const { toolCallId, repairs } = call;
    for (const repair of repairs) this.#turn.record({ sessionUpdate: "repair", messageId, toolCallId, ...repair });
    if (!hasStarted) this.#turn.record(pendingCall(call, this.#turn.cwd));
  }

  #answer(call: PreparedCall, isOnly: boolean): Promise<ToolOutcome> {
    const batch = this.#batch;
    if (call.kind === "answered") return runCall(this.#turn, call, this.#turn.signal);
    if (isOnly) return this.#queue.alone(call, (signal) => runCall(this.#turn, call, signal, { batch }));
    return this.#queue.add(call, async (signal) => {
      const slot = this.#asked.enter();
      return await runCall(this.#turn, call, signal, { slot, batch }).finally(slot.leave);
    });
  }

  async #run(offered: OfferedCall): Promise<ToolOutcome | undefined> {
    const { call } = offered;
    if (call.kind === "answered")
      return (await this.#whole.promise) ? await this.#answer(offered.call, false) : undefined;
    return await this.#queue.add(call, (signal) => {
      const place = this.#asked.enter();
      return this.#runInPlace(offered, signal, place).finally(place.leave);
    });
  }

  /** A call that starts before the end of the reply is not asked about, and does not queue. */
  async #runInPlace(offered: OfferedCall, signal: AbortSignal, slot: AskSlot): Promise<ToolOutcome | undefined> {
    const { call } = offered;
    const isHarmless = call.kind === "ready" && this.#isStreaming && (await needsNoQuestion(this.#turn, call, signal));
    // The reply may have ended in the meantime.
    if (isHarmless && this.#isStreaming) this.#start(offered);
    if (offered.hasStarted) {
      slot.leave();
      return await runCall(this.#turn, offered.call, signal, { batch: this.#batch });
    }
    if (!(await this.#whole.promise)) return undefined;
    return await runCall(this.#turn, offered.call, signal, { slot, batch: this.#batch });
  }

  #start(offered: OfferedCall): void {
    const { part, call } = offered;
    this.#turn.record({ sessionUpdate: "early_call", ...this.#from, call: part });
    this.#turn.record(pendingCall(call, this.#turn.cwd));
    offered.hasStarted = true;
    this.started.push(part);
  }
}

/**
 * Some servers do not report the limit when they cut a call; the token count shows it. Others close the JSON of the cut
 * call, so the last part of such a reply is never certain. A vendor's filter ends replies in the middle as well.
 */
function mayBeCut({ choice }: Turn, reply: Reply): boolean {
  if (reply.stop === "length" || reply.stop === "refusal") return true;
  const written = reply.usage?.outputTokens ?? 0;
  return choice?.maxOutputTokens !== undefined && written >= choice.maxOutputTokens;
}

/** A command such as `sleep 60; check` polls, and so does a look at a running process. */
function hasWaited({ status, durationMs, blocks }: ToolOutcome): boolean {
  if (status !== "ok") return false;
  return durationMs >= LONG_CALL_MS || blocks.some((each) => each.type === "terminal" && each.processId !== undefined);
}

/** Waits for all calls even if one fails: nothing may still run when the turn continues or ends. */
async function allOrFirstFailure<T>(ends: Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(ends);
  return settled.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
}
