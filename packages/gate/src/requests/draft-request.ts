import type { Block, Effect, Permission } from "@harness/protocol";
import type { Grant } from "../answers/grant.ts";
import type { Offer } from "../answers/permission-answer.ts";
import type { Evaluation } from "../evaluate-call.ts";
import type { GateCall } from "../gate-call.ts";
import { guardedWrites } from "../guarded-writes.ts";
import type { GatePorts } from "../ports/gate-ports.ts";
import type { Rule } from "../rules/rule.ts";
import { policyRules } from "../rules/rule-set.ts";
import { permissionNotes } from "./permission-notes.ts";
import { offerFor, type PossibleOffer, permissionRequest } from "./permission-request.ts";

/** A request, and the scope of its answers. */
export type Draft = { permission: Permission; offer: Offer };

/** The parts already shown; a later draft is compared with them. */
export type ShownDraft = { permissionId: string; agentId: string; preview: Block[] };

/** True if the call would run unasked under these rules and answers. */
type Holds = (more: { rules: readonly Rule[]; grants: readonly Grant[] }) => boolean;

/** Removes the answers after which the very same call would be asked about again. */
function thatHolds(offer: PossibleOffer, allowsWith: Holds, base: string | undefined): Offer {
  const always = offer.always.find((each) => {
    const kept = each.map((rule) => ({ ruleId: "offered", rule, scope: "project" as const, path: "" }));
    const { rules } = policyRules({ rules: kept, problems: [], everythingAsks: false, version: "" }, base);
    return allowsWith({ rules, grants: [] });
  });
  const isGranted = offer.session.length > 0 && allowsWith({ rules: [], grants: offer.session });
  return { turn: offer.turn, session: isGranted ? offer.session : [], always: always ?? [] };
}

/** Drafts the request for a call from its evaluation. */
export function draftRequest(
  call: GateCall,
  evaluation: Evaluation,
  { permissionId, agentId, preview }: ShownDraft,
  {
    sandbox,
    checkpoints,
    policies,
    gateSettings,
    allowsWith,
  }: Pick<GatePorts, "sandbox" | "checkpoints" | "policies" | "gateSettings"> & { allowsWith: Holds },
): Draft {
  const { toolCallId, tool, title, effects } = call;
  const { verdict, approval } = evaluation;
  const isUndoable = checkpoints !== undefined && gateSettings().checkpoints;
  const notes = permissionNotes(approval.resolved, { sandbox, isUndoable, roots: approval.roots });
  const offer = thatHolds(offerFor(tool, evaluation, preview, policies.base), allowsWith, policies.base);
  const places = { root: approval.roots[0] ?? "/", base: policies.base };
  const shown = guardedFirst(effects, approval);
  const subject = { permissionId, agentId, toolCallId, tool, title, effects: shown, preview, notes };
  return { permission: permissionRequest(subject, verdict, offer, places), offer };
}

/**
 * All effects of the call. Those that every mode asks about come first, because people may read only the beginning of a
 * long list.
 */
function guardedFirst(effects: readonly Effect[], { resolved, roots }: Evaluation["approval"]): Effect[] {
  if (effects.length < 2) return [...effects];
  const guarded = new Set(guardedWrites("", resolved, { roots, rules: [] }).map(({ path }) => path));
  if (guarded.size === 0) return [...effects];
  const isGuarded = (effect: Effect, at: number): boolean => {
    const judged = resolved[at]?.effect;
    return effect.kind === "write" && judged?.kind === "write" && guarded.has(judged.path);
  };
  return [...effects.filter(isGuarded), ...effects.filter((effect, at) => !isGuarded(effect, at))];
}
