import type { Clock } from "@harness/core";
import type { Environment } from "@harness/host";
import type { KnownEra } from "../connection/open-connection.ts";
import type { McpPeople } from "../connection/people.ts";
import type { McpLog } from "../connection/server-log.ts";
import type { McpFetch } from "../transports/guarded-fetch.ts";

/** What is kept of servers between runs. Nothing throws. */
export type McpMemory = {
  era(key: string): KnownEra | undefined;
  /** Undefined: what was known is no longer so. */
  rememberEra(key: string, era: KnownEra | undefined): void;
};

/** What a pool is given. A pool serves one folder. */
export type McpPorts = {
  readonly identity: { readonly name: string; readonly version: string };
  readonly place: { readonly cwd: string; readonly env: Environment };
  readonly clock: Clock;
  /** Every request leaves through it (`guardedFetch`). */
  readonly fetch: McpFetch;
  readonly people: McpPeople;
  readonly memory: McpMemory;
  /** The log of a server, by its name. */
  log(server: string): McpLog;
};
