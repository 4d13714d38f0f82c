import { errorText } from "@harness/client";
import type { WindowHost } from "../../client/window-host.ts";
import { type UsageSheet, usageSheet } from "./state.ts";

/** Opens the sheet of tokens and cost for the open session and the day. */
export async function showUsage({ store, server }: WindowHost): Promise<void> {
  const show = (changes: Omit<UsageSheet, "kind" | "scroll">): void =>
    store.set({ overlay: { kind: "usage", scroll: 0, ...changes } });
  show({});
  const { session, reading } = store.get();
  // This server has no numbers for a session held by another process.
  const params = session && !reading ? { sessionId: session.sessionId } : {};
  const answer = await server.call("usage/get", params).then(
    (usage) => ({ usage }),
    (error: unknown) => ({ problem: `The numbers could not be read: ${errorText(error)}` }),
  );
  if (usageSheet.of(store.get())) show(answer);
}
