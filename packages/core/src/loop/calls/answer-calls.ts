import type { ToolOutcome } from "@harness/protocol";
import type { CallEnd, Reply, StageState } from "../stages/stage-value.ts";
import type { Turn } from "../turn/turn.ts";
import { CallQueue } from "./call-queue.ts";
import { prepareCall } from "./prepare-call.ts";

/** tool_exec/10-exec: runs the calls of a reply in order, and side by side where that is the same. Each gets a result. */
export async function answerCalls(state: StageState<"tool_exec">, turn: Turn): Promise<StageState<"tool_exec">> {
  if (state.nextState) return state;
  const { reply, toolCalls, tooDeep } = state;
  const { maxToolCalls } = turn.scope.settings.limits;
  const unsure = isAtLimit(turn, reply) ? reply.parts.at(-1) : undefined;
  const calls = toolCalls.map((part, index) => {
    const isTooDeep = tooDeep.includes(part.toolCallId);
    return prepareCall(turn, part, { isCut: part === unsure, isTooMany: index >= maxToolCalls, isTooDeep });
  });
  for (const { toolCallId, name, title, repairs } of calls) {
    for (const repair of repairs) {
      turn.record({ sessionUpdate: "repair", messageId: reply.messageId, toolCallId, ...repair });
    }
    turn.record({ sessionUpdate: "tool_call_update", toolCallId, status: "pending", name, title });
  }
  const queue = new CallQueue(turn);
  const outcomes = await allOrFirstFailure(calls.map((call) => queue.add(call)));
  const results = calls.map(({ toolCallId, name, args }, index): CallEnd => {
    const outcome = outcomes[index];
    return { toolCallId, name, args, text: outcome?.text ?? "", isError: outcome?.status !== "ok" };
  });
  return { results, nextState: "tool_done" };
}

/**
 * Some servers do not report the limit when they cut a call; the token count shows it. Others close the JSON of the call
 * that they cut, so that the last part of such a reply is never sure.
 */
function isAtLimit({ choice }: Turn, reply: Reply): boolean {
  const written = reply.usage?.outputTokens ?? 0;
  return reply.stop === "length" || (choice?.maxOutputTokens !== undefined && written >= choice.maxOutputTokens);
}

/** Waits for all calls even when one fails: nothing may still run when the turn goes on or ends. */
async function allOrFirstFailure(ends: Promise<ToolOutcome>[]): Promise<ToolOutcome[]> {
  const settled = await Promise.allSettled(ends);
  return settled.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
}
