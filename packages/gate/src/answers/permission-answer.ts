import type { Permission, PermissionOutcome } from "@harness/protocol";
import type { PolicyRule } from "../ports/policy.ts";
import type { Grant } from "./grant.ts";

/** The scope of each lasting answer. None is offered at high risk or for calls that are asked about every time. */
export type Offer = { turn: boolean; session: Grant[]; always: PolicyRule[] };

export type PermissionAnswer =
  | { allowed: true; lasts: "once" | "turn" | "session" | "always" }
  | { allowed: false; always: boolean; feedback?: string; answered: boolean };

const lasting = { allow_once: "once", allow_turn: "turn", allow_session: "session", allow_always: "always" } as const;

/** Reads the outcome of a request; an option that was not offered allows nothing. */
export function readPermissionAnswer(permission: Permission, outcome: PermissionOutcome): PermissionAnswer {
  if (outcome.outcome === "cancelled") return { allowed: false, always: false, answered: false };
  const kind = permission.options.find(({ optionId }) => optionId === outcome.optionId)?.kind;
  if (kind !== undefined && kind !== "reject_once" && kind !== "reject_always") {
    return { allowed: true, lasts: lasting[kind] };
  }
  const feedback = outcome.feedback ? { feedback: outcome.feedback } : {};
  return { allowed: false, always: kind === "reject_always", answered: true, ...feedback };
}

/** True if it says anything beyond the one call. */
export function isLasting(answer: PermissionAnswer): boolean {
  return answer.allowed ? answer.lasts !== "once" : answer.always;
}
