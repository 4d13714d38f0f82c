import { ROOT_AGENT } from "@harness/protocol";
import { agentOf, type Card, subjectOf } from "../state/cards.ts";
import { sanitiseLine } from "../text/index.ts";
import { Themed } from "../widgets/themed.tsx";

type Props = { readonly cards: readonly Card[]; readonly sessionId: string | undefined };

/** The questions that come after the one in view, a line each. */
export function NextCards({ cards, sessionId }: Props) {
  return cards.map((card) => (
    <Themed key={card.id} tone="muted">
      {sanitiseLine(`then ${whoAsks(card, sessionId)}: ${subjectOf(card)}`)}
    </Themed>
  ));
}

function whoAsks(card: Card, sessionId: string | undefined): string {
  const agentId = agentOf(card);
  const agent = agentId === ROOT_AGENT ? "" : `agent ${agentId}`;
  const session = card.sessionId === sessionId ? "" : `session ${card.sessionId}`;
  return [agent, session].filter((each) => each !== "").join(" of ") || "the agent";
}
