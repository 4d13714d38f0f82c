import type { Block, StoredFact } from "@harness/protocol";
import type { RealPaths } from "../approval.ts";
import type { GateCall } from "../gate-call.ts";
import { plainPreview } from "./permission-request.ts";

/**
 * The preview of a call for people. `problem`: the error with which it would fail now; `shown`: the error for people.
 */
export async function callPreview(
  call: GateCall,
  realPaths: RealPaths,
): Promise<{ preview: Block[]; problem?: string; shown?: string | undefined; isOfArgs?: boolean }> {
  const preview = (await call.preview(realPaths)) ?? plainPreview(call.effects);
  if (Array.isArray(preview)) return { preview };
  const { problem, shown, isOfArgs = false } = preview;
  const text = `This would change nothing. The model would be told: ${problem}`;
  return { preview: [{ type: "text", text }], problem, shown, isOfArgs };
}

/** The same call, as if it only read the files that it would write. */
export function askedToRead(call: GateCall): GateCall {
  const effects = call.effects.map((effect) =>
    effect.kind === "write" ? { kind: "read" as const, path: effect.path } : effect,
  );
  return { ...call, category: "readOnly", effects };
}

/** True if the call only sends requests, so that its error says nothing about this machine. */
export function onlyReaches({ effects }: GateCall): boolean {
  return effects.length > 0 && effects.every(({ kind }) => kind === "reach");
}

/** True for the end of a call that was not denied, so that it may have changed files. */
export function hasRun(update: StoredFact["update"]): boolean {
  if (update.sessionUpdate !== "tool_call_update" || !update.outcome) return false;
  return update.outcome.status !== "denied";
}

/** True if the call would still change its files as shown. */
export async function isShownStill(call: GateCall, realPaths: RealPaths, shown: readonly Block[]): Promise<boolean> {
  if (call.effects.every(({ kind }) => kind !== "write")) return true;
  const { preview } = await callPreview(call, realPaths);
  return JSON.stringify(preview) === JSON.stringify(shown);
}
