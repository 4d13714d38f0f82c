import type { Block, Permission } from "@harness/protocol";
import type { Offer } from "../answers/permission-answer.ts";
import type { Evaluation } from "../evaluate-call.ts";
import type { GateCall } from "../gate-call.ts";
import type { GatePorts } from "../ports/gate-ports.ts";
import { permissionNotes } from "./permission-notes.ts";
import { offerFor, permissionRequest } from "./permission-request.ts";

/** A question, and what its answers would cover. */
export type Draft = { permission: Permission; offer: Offer };

/** The parts that are already shown; a later draft is compared with them. */
type Shown = { permissionId: string; agentId: string; preview: Block[] };

/** Drafts the request for a call as it is evaluated now. */
export function draftRequest(
  call: GateCall,
  evaluation: Evaluation,
  { permissionId, agentId, preview }: Shown,
  {
    sandbox,
    checkpoints,
    policies,
    gateSettings,
  }: Pick<GatePorts, "sandbox" | "checkpoints" | "policies" | "gateSettings">,
): Draft {
  const { toolCallId, tool, title, effects } = call;
  const { verdict, approval } = evaluation;
  const isUndoable = checkpoints !== undefined && gateSettings().checkpoints;
  const notes = permissionNotes(approval.resolved, verdict, { sandbox, isUndoable, roots: approval.roots });
  const offer = offerFor(tool, evaluation, preview, policies.base);
  const subject = { permissionId, agentId, toolCallId, tool, title, effects, preview, notes };
  return { permission: permissionRequest(subject, verdict, offer), offer };
}
