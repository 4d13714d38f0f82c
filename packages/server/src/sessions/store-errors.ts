import type { StoreProblem } from "@harness/core";
import { protocolError } from "@harness/protocol";

/** The same for a session that is opened; one that another server holds is reached at its socket. */
export function openedOrThrow<T extends object>(
  answer: T | StoreProblem,
  { sessionId, socketOf }: { sessionId: string; socketOf(pid: number): string | undefined },
): T {
  const holder = "problem" in answer ? answer.holder : undefined;
  if (holder === undefined || !("problem" in answer)) return orThrow<T>(answer);
  const socketPath = socketOf(holder);
  if (socketPath === undefined) throw protocolError("conflict", String(answer.problem), { sessionId });
  const text = `Session ${sessionId} is already open in process ${holder}. To look at it and to answer: harness attach ${sessionId}`;
  throw protocolError("conflict", text, { sessionId, socketPath });
}

/** Returns the store's result, or throws its problem as a wire error. */
export function orThrow<T extends object>(answer: T | StoreProblem): T {
  if (!("problem" in answer)) return answer;
  const { problem, kind } = answer;
  if (kind === "not_found" || kind === "ambiguous") throw protocolError("not_found", problem, { what: "session" });
  if (kind === "failed") throw protocolError("storage_failed", problem);
  throw protocolError("conflict", problem, {});
}
