import type { SessionNotification } from "@agentclientprotocol/sdk/unstable";
import type { ClientPeer } from "../src/peer/client-peer.ts";

/** A client in memory that keeps what it gets. */
export class MemoryPeer implements ClientPeer {
  readonly updates: SessionNotification["update"][] = [];
  /** How it answers requests; by default not at all. */
  answer: (method: string, params: unknown) => unknown = () => {
    throw new Error("Method not found");
  };

  async request(method: string, params: unknown): Promise<unknown> {
    return await this.answer(method, params);
  }

  async notify(_method: string, params: unknown): Promise<void> {
    this.updates.push((params as SessionNotification).update);
  }
}
