import { type Channel, linkedPair } from "@harness/protocol/wire";
import { type ClientOptions, type HarnessClient, openClient } from "./client.ts";

/** A server in this process, as the composition root gives it. */
export type LocalServer = {
  accept(channel: Channel, name: string, departure: { onEnd(): void; onGone(): void }): void;
  /** Ends all work and writes everything down. */
  shutdown(): Promise<void>;
};

/** Opens a client of a server in this process; `name` is what the server calls it. */
export function openLinkedClient(server: LocalServer, name: string, options: ClientOptions): Promise<HarnessClient> {
  const [near, far] = linkedPair();
  server.accept(far, name, { onEnd: () => undefined, onGone: () => undefined });
  return openClient(near, options);
}
