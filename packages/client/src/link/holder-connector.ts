import { openClient } from "../client.ts";
import type { ServerListeners } from "./connect-server.ts";
import type { HolderConnection } from "./session-router.ts";

type HolderClient = { name: string; version: string; listeners: ServerListeners };

/** Connects a front to the servers that hold sessions of other fronts. */
export function holderConnector({ name, version, listeners }: HolderClient) {
  const { notices } = listeners;
  return async (socketPath: string, onLost: () => void): Promise<HolderConnection> => {
    const { socketChannel } = await import("./socket-channel.ts");
    return await openClient(await socketChannel(socketPath), {
      ...listeners,
      // Everything else of that server is about its own machine and person, which are those of this front's server.
      notices: { "hud/update": (params) => notices["hud/update"]?.(params) },
      clientInfo: { name, version },
      onLost,
      // A bug on this side ends the program like any other bug.
      onBug: (error) =>
        queueMicrotask(() => {
          throw error;
        }),
    });
  };
}
