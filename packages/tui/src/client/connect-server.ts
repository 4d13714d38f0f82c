import type { ClientOptions, HarnessClient, SessionServer } from "@harness/client";

/** Calls to the server; controllers need no more of the connection. */
export type Server = SessionServer & Required<Pick<SessionServer, "newId">>;

/** A connection from its opening to its loss; `close` ends the server in order and never rejects. */
export type ServerConnection = Pick<HarnessClient, "call" | "close">;

export type ServerListeners = Required<Pick<ClientOptions, "onUpdate" | "onPermission" | "onQuestion" | "notices">>;

/** Starts or reaches a server. Rejects with an error whose message is for people. */
export type ConnectServer = (
  listeners: ServerListeners & {
    /** The server is gone; called once, and not after `close`. */
    onLost(reason: string): void;
  },
) => Promise<ServerConnection>;
