import type { CallVerdicts } from "./call-verdicts.ts";
import type { Evaluation } from "./evaluate-call.ts";
import type { GateCall, Requester } from "./gate-call.ts";
import { askedToRead, callPreview, onlyReaches } from "./requests/call-preview.ts";

/** A call that would fail: the text for the model, and the one for people. */
export type CallFailure = { text: string; shown: string | undefined };

/**
 * The failure of a call that is denied only because nobody allows it. Permission would not have helped, so the model
 * learns about the failure instead. Undefined: it would not fail, or it is denied for another reason.
 */
export async function predictFailure(
  verdicts: CallVerdicts,
  call: GateCall,
  requester: Requester,
  { verdict: { decision, by, always }, approval }: Evaluation,
): Promise<CallFailure | undefined> {
  if (decision !== "deny" || always || (by !== "nobody" && by !== "mode")) return undefined;
  const { problem, shown, isOfArgs } = await callPreview(call, approval.realPaths);
  if (problem === undefined || requester.signal.aborted) return undefined;
  if (!isOfArgs && !mayTell(verdicts, call, requester)) return undefined;
  return { text: problem, shown };
}

/** An error about files reveals something about them, so the call must be allowed to read them. */
export function mayTell(verdicts: CallVerdicts, call: GateCall, requester: Requester): boolean {
  return onlyReaches(call) || verdicts.alike(call, askedToRead(call), requester).verdict.decision === "allow";
}
