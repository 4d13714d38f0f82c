import { randomUUID } from "node:crypto";
import type { HarnessClient } from "../client.ts";
import { type LocalServer, openLinkedClient } from "../linked.ts";
import type { SessionServer } from "../session/session-server.ts";
import type { ServerListeners } from "./connect-server.ts";
import { holderConnector } from "./holder-connector.ts";
import { SessionRouter } from "./session-router.ts";

/** A client of a server in this process that follows sessions of other servers where they are held. */
export type AttachingClient = HarnessClient & Pick<SessionRouter, "isElsewhere">;

type AttachingOptions = Parameters<typeof openLinkedClient>[2] &
  ServerListeners & {
    /** A session was opened at another server, which works on it. */
    onAttached(sessionId: string): void;
    /** That server has gone: `reattach` of the session at `server` opens it here, or where it is held by now. */
    onHolderLost(sessionId: string, server: SessionServer): Promise<void>;
  };

/** Opens a client as `openLinkedClient` does. A session that another server holds is opened there, as in the window. */
export async function openAttachingClient(
  server: LocalServer,
  name: string,
  { onAttached, onHolderLost, ...options }: AttachingOptions,
): Promise<AttachingClient> {
  const own = await openLinkedClient(server, name, options);
  const { clientInfo, onUpdate, onPermission, onQuestion, buffers, notices, optOut } = options;
  const router = new SessionRouter({
    own: { call: own.call, newId: randomUUID },
    connect: holderConnector({
      ...clientInfo,
      listeners: {
        onUpdate,
        onPermission,
        onQuestion,
        notices,
        ...(buffers && { buffers }),
        ...(optOut && { optOut }),
      },
    }),
    delay: (ms) => new Promise((done) => void setTimeout(done, ms)),
    onAttached,
    onLost: onHolderLost,
  });
  return { ...own, call: router.call, isElsewhere: (sessionId) => router.isElsewhere(sessionId) };
}
