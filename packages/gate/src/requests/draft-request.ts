import type { Block, Permission } from "@harness/protocol";
import type { Offer } from "../answers/permission-answer.ts";
import type { Judgement } from "../evaluate-call.ts";
import type { GateCall } from "../gate-call.ts";
import type { GatePorts } from "../ports/gate-ports.ts";
import { permissionNotes } from "./permission-notes.ts";
import { offerFor, permissionQuestion } from "./permission-request.ts";

/** A question, and what its answers would cover. */
export type Draft = { permission: Permission; offer: Offer };

/** What is shown already: a draft that is made anew is compared with it. */
type Shown = { permissionId: string; agentId: string; preview: Block[] };

/** What would be asked about a call as it is judged now. */
export function draftQuestion(
  call: GateCall,
  judgement: Judgement,
  { permissionId, agentId, preview }: Shown,
  {
    sandbox,
    checkpoints,
    policies,
    gateSettings,
  }: Pick<GatePorts, "sandbox" | "checkpoints" | "policies" | "gateSettings">,
): Draft {
  const { toolCallId, tool, title, effects } = call;
  const { verdict, pass } = judgement;
  const isUndoable = checkpoints !== undefined && gateSettings().checkpoints;
  const notes = permissionNotes(pass.judged, verdict, { sandbox, isUndoable, roots: pass.roots });
  const offer = offerFor(tool, judgement, preview, policies.base);
  const subject = { permissionId, agentId, toolCallId, tool, title, effects, preview, notes };
  return { permission: permissionQuestion(subject, verdict, offer), offer };
}
