import type { SendRequestOptions } from "@agentclientprotocol/sdk/unstable";

/** The client at the other end of a connection. Nothing checks what it answers. */
export type ClientPeer = {
  request(method: string, params: unknown, options?: SendRequestOptions): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
};
