import type { HarnessClient, Session } from "@harness/client";
import { ROOT_AGENT } from "@harness/protocol";

/** Removes a session in which no model could be chosen: nothing was requested, so there is nothing to resume. */
export async function dropUnbegun(client: HarnessClient, { id: sessionId, state }: Session): Promise<void> {
  const items = state?.agents.get(ROOT_AGENT)?.items ?? [];
  const end = items.findLast((item) => item.kind === "turn");
  const hasReplies = items.some(({ kind }) => kind === "agent");
  if (!sessionId || hasReplies || end?.kind !== "turn" || end.error?.kind !== "config") return;
  // If that fails, it stays in the list.
  await client.call("session/delete", { sessionId, now: true }).catch(() => undefined);
}
