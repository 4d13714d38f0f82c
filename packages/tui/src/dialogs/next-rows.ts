import { ROOT_AGENT } from "@harness/protocol";
import { agentOf, type Dialog, subjectOf } from "../state/dialogs.ts";
import { type Row, row, sanitiseLine, span, style } from "../text/index.ts";
import { type DialogLayoutInput, sessionName } from "./dialog-layout-input.ts";

const MUTED = style({ fg: "muted" });

/** The first of the dialogs waiting after the one in view, one row each. */
export function nextRows({ behind, ...place }: DialogLayoutInput, count: number): Row[] {
  return behind
    .slice(0, count)
    .map((dialog) => row(span(sanitiseLine(`then ${whoAsks(dialog, place)}: ${subjectOf(dialog)}`), MUTED)));
}

function whoAsks(
  dialog: Dialog,
  { sessionId, leftTitles }: Pick<DialogLayoutInput, "sessionId" | "leftTitles">,
): string {
  const agentId = agentOf(dialog);
  const agent = agentId === ROOT_AGENT ? "" : `agent ${agentId}`;
  const session = dialog.sessionId === sessionId ? "" : sessionName(dialog, leftTitles);
  return [agent, session].filter((each) => each !== "").join(" of ") || "the agent";
}
