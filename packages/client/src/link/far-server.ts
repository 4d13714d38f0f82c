import { clientNotifications } from "@harness/protocol";
import type { ConnectServer, ServerConnection, ServerListeners } from "./connect-server.ts";

type Listeners = Parameters<ConnectServer>[0];

/** Waits between the attempts to reach a server again: a network is often away for longer than a program takes to start. */
export const FAR_BACKOFF_MS: readonly number[] = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];

/**
 * Connects to a server before there is a window, as its command may ask for a password on the terminal. The returned
 * `connect` hands that connection to the window, and makes a new one whenever it is called again: then nothing can ask.
 */
export async function farServer(
  connectFirst: ConnectServer,
  connectAgain: ConnectServer,
): Promise<{ server: ServerConnection["server"]; connect: ConnectServer; close(): Promise<void> }> {
  let target: Listeners | undefined;
  let lost: string | undefined;
  // Nothing is reported or asked before a session is open.
  const first = await connectFirst({
    onUpdate: (update) => target?.onUpdate(update),
    onPermission: async (...asked) => (await target?.onPermission(...asked)) ?? { outcome: "cancelled" },
    onQuestion: async (...asked) => (await target?.onQuestion(...asked)) ?? { action: "cancel" },
    notices: noticesOf(() => target?.notices),
    onLost(reason) {
      lost = reason;
      target?.onLost(reason);
    },
  });
  let isTaken = false;
  return {
    server: first.server,
    async connect(listeners) {
      if (isTaken || lost !== undefined) return await connectAgain(listeners);
      isTaken = true;
      target = listeners;
      return first;
    },
    close: () => (isTaken ? Promise.resolve() : first.close()),
  };
}

function noticesOf(target: () => ServerListeners["notices"] | undefined): ServerListeners["notices"] {
  const notice = (method: string) => (params: never) =>
    (target()?.[method as keyof ServerListeners["notices"]] as ((params: never) => void) | undefined)?.(params);
  return Object.fromEntries(Object.keys(clientNotifications).map((method) => [method, notice(method)]));
}
