import { errorText } from "@harness/client";
import type { WindowHost } from "../../client/window-host.ts";
import { type ContextSheet, contextSheet } from "./state.ts";

/** Opens the sheet about an agent's context window; "": of the agent in view. */
export async function showContext({ store, server }: WindowHost, agentId: string): Promise<void> {
  const { session, reading, agentInView } = store.get();
  if (!session || reading) {
    store.note("info", "The context window is empty: no session is open.");
    return;
  }
  const show = (changes: Omit<ContextSheet, "kind" | "scroll">): void =>
    store.set({ overlay: { kind: "context", scroll: 0, ...changes } });
  show({});
  const { sessionId } = session;
  const answer = await server.call("session/context", { sessionId, agentId: agentId || agentInView }).then(
    (report) => ({ report }),
    (error: unknown) => ({ problem: `The numbers could not be read: ${errorText(error)}` }),
  );
  if (contextSheet.of(store.get())) show(answer);
}
