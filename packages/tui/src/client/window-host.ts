import type { WindowRequest } from "@harness/client";
import type { Clock } from "../state/clock.ts";
import type { Store } from "../state/store.ts";
import type { Server } from "./connect-server.ts";

/** What the parts of a window work with. */
export type WindowHost = {
  readonly store: Store;
  readonly server: Server;
  readonly clock: Clock;
  readonly request: Omit<WindowRequest, "server">;
  newId(): string;
};
