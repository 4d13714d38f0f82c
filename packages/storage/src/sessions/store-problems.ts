import { existsSync } from "node:fs";
import { hostname } from "node:os";
import type { StoreProblem } from "@harness/core";
import { describeOwner, diskProblem, errorCode, type HeldLock } from "@harness/host";

/** The session that a name identifies, or why there is none. */
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

export function foreignProblem(sessionId: string, why: string): StoreProblem {
  return { kind: "foreign", problem: `Session ${sessionId} is not opened: ${why}` };
}

export function sessionLockedProblem(sessionId: string, folder: { lock: string }, { owner }: HeldLock): StoreProblem {
  return {
    kind: "locked",
    ...(owner?.host === hostname() ? { holder: owner.pid } : {}),
    problem: `Session ${sessionId} is already open (${describeOwner(owner)}). Close it there, or read it here without continuing. If that process no longer exists, delete ${folder.lock}.`,
  };
}

/** Does the work; an error of the file system becomes a problem. `doing` continues "Could not …". */
export function guarded<T>(doing: string, path: string, work: () => T): T | StoreProblem {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === "ENOENT" && !existsSync(path)) return notFound(path);
    const { dest, path: place = path } = Object(error);
    return { kind: "failed", problem: diskProblem(error, doing, String(dest ?? place)) };
  }
}
