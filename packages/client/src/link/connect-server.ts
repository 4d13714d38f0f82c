import type { ClientOptions, HarnessClient } from "../client.ts";

/** A connection from opening to loss; `close` ends the server in order and never rejects. */
export type ServerConnection = Pick<HarnessClient, "call" | "close"> & Partial<Pick<HarnessClient, "server">>;

export type ServerListeners = Required<Pick<ClientOptions, "onUpdate" | "onPermission" | "onQuestion" | "notices">> &
  Pick<ClientOptions, "buffers" | "optOut">;

/** Starts or reaches a server. Rejects with an error whose message is for people. */
export type ConnectServer = (
  listeners: ServerListeners & {
    /** The connection is lost; called once, and not after `close`. */
    onLost(reason: string): void;
  },
) => Promise<ServerConnection>;
