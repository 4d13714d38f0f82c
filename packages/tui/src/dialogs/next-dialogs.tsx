import { ROOT_AGENT } from "@harness/protocol";
import { agentOf, type Dialog, subjectOf } from "../state/dialogs.ts";
import { sanitiseLine } from "../text/index.ts";
import { Themed } from "../widgets/themed.tsx";

type Props = { readonly dialogs: readonly Dialog[]; readonly sessionId: string | undefined };

/** The dialogs waiting behind the one in view, a line each. */
export function NextDialogs({ dialogs, sessionId }: Props) {
  return dialogs.map((dialog) => (
    <Themed key={dialog.id} tone="muted">
      {sanitiseLine(`then ${whoAsks(dialog, sessionId)}: ${subjectOf(dialog)}`)}
    </Themed>
  ));
}

function whoAsks(dialog: Dialog, sessionId: string | undefined): string {
  const agentId = agentOf(dialog);
  const agent = agentId === ROOT_AGENT ? "" : `agent ${agentId}`;
  const session = dialog.sessionId === sessionId ? "" : `session ${dialog.sessionId}`;
  return [agent, session].filter((each) => each !== "").join(" of ") || "the agent";
}
