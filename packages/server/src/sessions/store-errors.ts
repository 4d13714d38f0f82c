import type { StoreProblem } from "@harness/core";
import { protocolError } from "@harness/protocol";

/** Returns the store's result, or throws its problem as a wire error. */
export function orThrow<T extends object>(answer: T | StoreProblem): T {
  if (!("problem" in answer)) return answer;
  const { problem, kind } = answer;
  if (kind === "not_found" || kind === "ambiguous") throw protocolError("not_found", problem, { what: "session" });
  if (kind === "failed") throw protocolError("storage_failed", problem);
  throw protocolError("conflict", problem, {});
}
