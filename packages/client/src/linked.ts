import { type Channel, linkedPair } from "@harness/protocol/wire";
import { type ClientOptions, type HarnessClient, openClient } from "./client.ts";

/** A server in this process, as provided by the composition root. */
export type LocalServer = {
  accept(channel: Channel, name: string, departure: { onEnd(): void; onGone(): void }): void;
  /** Ends all work and writes everything down. */
  shutdown(): Promise<void>;
};

/** Opens a client of a server in this process; `name`: the server's name for it. */
export function openLinkedClient(server: LocalServer, name: string, options: ClientOptions): Promise<HarnessClient> {
  const [near, far] = linkedPair();
  server.accept(far, name, { onEnd: () => undefined, onGone: () => undefined });
  return openClient(near, options);
}
