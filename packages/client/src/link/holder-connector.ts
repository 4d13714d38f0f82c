import { openClient } from "../client.ts";
import type { ServerListeners } from "./connect-server.ts";
import type { HolderConnection } from "./session-router.ts";

type HolderClient = { name: string; version: string; listeners: ServerListeners };

/** How long the server that holds a session may take to answer. */
const PATIENCE_MS = 3_000;

/** Connects a front to the servers that hold sessions of other fronts. */
export function holderConnector({ name, version, listeners }: HolderClient) {
  const { notices } = listeners;
  return async (socketPath: string, onLost: () => void): Promise<HolderConnection> => {
    const { socketChannel } = await import("./socket-channel.ts");
    const channel = await socketChannel(socketPath);
    // A process that was stopped accepts connections, and answers nothing.
    const timer = setTimeout(() => channel.destroy(), PATIENCE_MS);
    const opened = openClient(channel, {
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
    return await opened.finally(() => clearTimeout(timer));
  };
}
