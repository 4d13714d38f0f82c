import type { Block, StoredFact } from "@harness/protocol";
import type { GateCall } from "../gate-call.ts";
import type { RealPaths } from "../gate-pass.ts";
import { plainPreview } from "./permission-question.ts";

/** What a person is shown of what the call would do. */
export async function callPreview(call: GateCall, realPaths: RealPaths): Promise<Block[]> {
  return (await call.preview(realPaths)) ?? plainPreview(call.effects);
}

/** The end of a call that was not denied: it may have changed files. */
export function hasRun(update: StoredFact["update"]): boolean {
  if (update.sessionUpdate !== "tool_call_update" || !update.outcome) return false;
  return update.outcome.status !== "denied";
}

/** Does the call still do to its files what was shown? */
export async function isShownStill(call: GateCall, realPaths: RealPaths, shown: readonly Block[]): Promise<boolean> {
  if (call.effects.every(({ kind }) => kind !== "write")) return true;
  return JSON.stringify(await callPreview(call, realPaths)) === JSON.stringify(shown);
}
