import { type FactPages, factsOf, type SessionHeader } from "@harness/core";
import { amount } from "@harness/protocol";
import type { StoredRequest } from "./recorded-requests.ts";

/** `broken`: lines of the record that cannot be read. `moved`: requests that were made in another folder. */
type UncomparedRequests = {
  header: Pick<SessionHeader, "parent">;
  pages: FactPages;
  requests: readonly StoredRequest[];
  broken: number;
  moved: number;
};

/** Sentences on requests that are not among those compared. */
export function notesOn({ header: { parent }, pages, requests, broken, moved }: UncomparedRequests): string[] {
  const made = requests.map(({ request }) => request);
  const before = new Map<string, number>();
  let missing = 0;
  for (const { agentId, seq, update } of factsOf(pages, { after: parent?.seq ?? 0, kinds: ["agent_message"] })) {
    const last = before.get(agentId) ?? -1;
    before.set(agentId, seq);
    const isMade = made.some((each) => each.agentId === agentId && each.after > last && each.after < seq);
    if (!isMade && update.sessionUpdate === "agent_message" && !update.fromFile) missing += 1;
  }
  return [
    ...(parent ? [`Not compared: what it shares with session ${parent.sessionId}, which it was forked from.`] : []),
    ...(moved > 0 ? [`Not compared: ${amount(moved, "request")} from before its folder changed.`] : []),
    ...(missing > 0 ? [`Not compared: ${amount(missing, "reply", "replies")} without a record of the request.`] : []),
    ...(broken > 0 ? [`${amount(broken, "line")} of the record cannot be read.`] : []),
  ];
}
