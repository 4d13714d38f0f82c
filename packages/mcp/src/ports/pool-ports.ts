import type { Clock } from "@harness/core";
import type { Environment } from "@harness/host";
import type { McpPeople } from "./people.ts";

/** Called by the SDK for every request to a server or its authorization server. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Where a server's stderr and its log messages go. Never throws. */
export type McpLog = { append(line: string): void };

/** Values that must not appear in a log or a sentence, by name: variables and headers of servers. Never throws. */
export type McpSecrets = { add(named: Readonly<Record<string, string>>): void; hide(text: string): string };

/** Data about servers kept between runs, by a key: plain JSON. Nothing throws; a value that cannot be saved is lost. */
export type McpStore = {
  read(key: string): unknown;
  /** Undefined: forgets the value. */
  write(key: string, value: unknown): void;
};

/** Logins, by the address of the server: private to the person, and shared by all processes. */
export type McpLoginStore = {
  read(server: string): unknown;
  /** Undefined: forgets the login. Throws an error whose message is a sentence. */
  write(server: string, login: unknown): void;
  /** One holder at a time, over all processes: a token for new ones can often be used only once. */
  locked<T>(server: string, task: () => Promise<T>): Promise<T>;
};

/** How a process is started that is to be the leader of a session of its own. */
export type McpProcessCommand = {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
};

/** The surroundings of a pool. A pool serves one folder. */
export type McpPorts = {
  readonly identity: { readonly name: string; readonly version: string };
  readonly place: {
    readonly cwd: string;
    readonly env: Environment;
    /** How a process is started so that it is found, and ended, after a harness that was killed; absent: as it is. */
    readonly marked?: (process: McpProcessCommand) => McpProcessCommand;
  };
  readonly clock: Clock;
  /** Every request leaves through it (`guardedFetch`). */
  readonly fetch: McpFetch;
  readonly people: McpPeople;
  readonly kept: { readonly servers: McpStore; readonly logins: McpLoginStore; readonly secrets: McpSecrets };
  /** The log of a server, by its name. */
  log(server: string): McpLog;
};
