import type { StoreProblem } from "@harness/core";
import { describeOwner, type HeldLock } from "@harness/host";

/** The one session that a name means, or why there is none. */
export function single(name: string, ids: string[]): { sessionId: string } | StoreProblem {
  const [sessionId] = ids;
  if (!sessionId) return notFound(name);
  if (ids.length === 1) return { sessionId };
  const some = ids.slice(-5).join(", ");
  return {
    kind: "ambiguous",
    problem: `"${name}" matches ${ids.length} sessions: ${some}${ids.length > 5 ? " and more" : ""}. Type more of the id.`,
    candidates: ids,
  };
}

export function notFound(name: string): StoreProblem {
  return { kind: "not_found", problem: `There is no stored session "${name}".` };
}

export function sessionLockedProblem(sessionId: string, folder: { lock: string }, { owner }: HeldLock): StoreProblem {
  return {
    kind: "locked",
    problem: `Session ${sessionId} is already open (${describeOwner(owner)}). Close it there, or read it here without continuing. If that process no longer exists, delete ${folder.lock}.`,
  };
}
