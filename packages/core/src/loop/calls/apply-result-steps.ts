import type { ToolOutcome } from "@harness/protocol";
import type { CallResult, ResultStep } from "../stages/call-steps.ts";
import { StepError } from "../stages/stage.ts";
import type { Turn } from "../turn/turn.ts";

type AnsweredCall = { readonly toolCallId: string; readonly name: string; readonly args: unknown };

/**
 * The outcome after the steps of extensions. The error of a failed step replaces the result, because the step may be
 * there to keep something from the model.
 */
export async function applyResultSteps(
  steps: readonly ResultStep<Turn>[],
  { toolCallId, name, args }: AnsweredCall,
  outcome: ToolOutcome,
  { turn, signal, onFailure }: { turn: Turn; signal: AbortSignal; onFailure?(error: StepError): void },
): Promise<ToolOutcome> {
  if (steps.length === 0 || outcome.status === "cancelled") return outcome;
  const before: CallResult = { toolCallId, name, input: args, text: outcome.text, isError: outcome.status !== "ok" };
  let result = before;
  try {
    for (const step of steps) result = await step(result, turn, signal);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    onFailure?.(error);
    result = { ...before, text: error.message, isError: true };
  }
  if (result.text === before.text && result.isError === before.isError) return outcome;
  const text = result.text.trim() === "" ? "(no output)" : result.text;
  // If text was only added, people still see the original.
  if (text.startsWith(before.text)) {
    const added = text.slice(before.text.length).trim();
    return {
      ...outcome,
      status: statusOf(outcome, result),
      text,
      blocks: [...outcome.blocks, { type: "text", text: added }],
    };
  }
  const { images: _left, ...rest } = outcome;
  return { ...rest, status: statusOf(outcome, result), text, blocks: [{ type: "text", text }] };
}

function statusOf({ status }: ToolOutcome, { isError }: CallResult): ToolOutcome["status"] {
  if (!isError) return "ok";
  return status === "ok" ? "error" : status;
}
