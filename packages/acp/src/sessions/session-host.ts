import type { ClientCapabilities } from "@agentclientprotocol/sdk/unstable";
import type { AttachingClient } from "@harness/client";
import type { ModelMenu } from "../config/model-menu.ts";
import type { ClientPeer } from "../peer/client-peer.ts";

/** Shared by the sessions of a connection. */
export type SessionHost = {
  readonly client: AttachingClient;
  readonly models: ModelMenu;
  peer(): ClientPeer;
  /** As `initialize` announced them. */
  capabilities(): ClientCapabilities;
};
