import type { Server } from "../../client/connect-server.ts";
import { errorText } from "../../client/server-errors.ts";
import type { UsageSheet } from "../../state/overlay.ts";
import type { Store } from "../../state/store.ts";

/** Opens the sheet of tokens and money for the open session and the day. */
export async function showUsage(store: Store, server: Server): Promise<void> {
  const show = (changes: Omit<UsageSheet, "kind" | "scroll">): void =>
    store.dispatch({ type: "overlayShown", overlay: { kind: "usage", scroll: 0, ...changes } });
  show({});
  const { session, reading } = store.get();
  // This server has no numbers of a session that another process holds.
  const asked = session && !reading ? { sessionId: session.sessionId } : {};
  const answer = await server.call("usage/get", asked).then(
    (usage) => ({ usage }),
    (error: unknown) => ({ problem: `The numbers could not be read: ${errorText(error)}` }),
  );
  if (store.get().overlay?.kind === "usage") show(answer);
}
