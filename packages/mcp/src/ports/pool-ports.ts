import type { Clock } from "@harness/core";
import type { Environment } from "@harness/host";
import type { McpPeople } from "./people.ts";

/** What the SDK calls for every request of a server and of its authorization server. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Where a server's stderr and its log messages go. Never throws. */
export type McpLog = { append(line: string): void };

/** What must not be repeated in a log or a sentence, by name: variables and headers of servers. Never throws. */
export type McpSecrets = { add(named: Readonly<Record<string, string>>): void; hide(text: string): string };

/** What is kept of servers between runs, by a key: plain JSON. Nothing throws; what cannot be kept is forgotten. */
export type McpStore = {
  read(key: string): unknown;
  /** Undefined: nothing is kept under the key any more. */
  write(key: string, value: unknown): void;
};

/** Logins, by the address of the server: private to the person, and shared by all processes. */
export type McpLoginStore = {
  read(server: string): unknown;
  /** Undefined: nothing is kept of it any more. Throws an error whose message is a sentence. */
  write(server: string, login: unknown): void;
  /** One holder at a time, over all processes: a token for new ones can often be used only once. */
  locked<T>(server: string, task: () => Promise<T>): Promise<T>;
};

/** How a process is started that is to be the leader of a session of its own. */
export type ServerProcess = {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
};

/** What a pool is given. A pool serves one folder. */
export type McpPorts = {
  readonly identity: { readonly name: string; readonly version: string };
  readonly place: {
    readonly cwd: string;
    readonly env: Environment;
    /** How a process is started so that it is found, and ended, after a harness that was killed; absent: as it is. */
    readonly marked?: (process: ServerProcess) => ServerProcess;
  };
  readonly clock: Clock;
  /** Every request leaves through it (`guardedFetch`). */
  readonly fetch: McpFetch;
  readonly people: McpPeople;
  readonly kept: { readonly servers: McpStore; readonly logins: McpLoginStore; readonly secrets: McpSecrets };
  /** The log of a server, by its name. */
  log(server: string): McpLog;
};
