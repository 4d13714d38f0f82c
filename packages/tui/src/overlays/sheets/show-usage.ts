import { wordsOf } from "../../client/harness-client.ts";
import type { ServerLink } from "../../client/server-link.ts";
import type { UsageSheet } from "../../state/app-state.ts";
import type { Store } from "../../state/store.ts";

/** Opens the sheet of tokens and money: of the open session, and of the day. */
export async function showUsage(store: Store, link: Pick<ServerLink, "call">): Promise<void> {
  const show = (changes: Omit<UsageSheet, "kind" | "scroll">): void =>
    store.dispatch({ type: "overlayShown", overlay: { kind: "usage", scroll: 0, ...changes } });
  show({});
  const { session, reading } = store.get();
  // Of a session that another process holds this server knows no numbers.
  const asked = session && !reading ? { sessionId: session.sessionId } : {};
  const answer = await link.call("usage/get", asked).then(
    (usage) => ({ usage }),
    (error: unknown) => ({ problem: `The numbers could not be read: ${wordsOf(error)}` }),
  );
  if (store.get().overlay?.kind === "usage") show(answer);
}
