import type { Clock } from "@harness/core";
import type { Environment } from "@harness/host";
import type { McpPeople } from "./people.ts";

/** Called by the SDK for every request to a server or its authorization server. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The destination of a server's stderr and log messages. Never throws. */
export type McpLog = { append(line: string): void };

/** Values that must not appear in a log or a sentence, by name: variables and headers of servers. Never throws. */
export type McpSecrets = { add(named: Readonly<Record<string, string>>): void; hide(text: string): string };

/** Data about servers kept between runs by key, as plain JSON. Nothing throws; a value that cannot be saved is lost. */
export type McpStore = {
  read(key: string): unknown;
  /** Undefined: forgets the value. */
  write(key: string, value: unknown): void;
};

/** Logins by server address: private to the user, and shared by all processes. */
export type McpLoginStore = {
  read(server: string): unknown;
  /** Undefined: forgets the login. Throws an error whose message is a sentence. */
  write(server: string, login: unknown): void;
  /** One holder at a time, across all processes: a refresh token can often be used only once. */
  locked<T>(server: string, task: () => Promise<T>): Promise<T>;
};

/** How to start a process that will lead its own session. */
export type McpProcessCommand = {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
};

/** The environment of a pool. A pool serves one folder. */
export type McpPorts = {
  readonly identity: { readonly name: string; readonly version: string };
  readonly place: {
    readonly cwd: string;
    readonly env: Environment;
    /** Marks a process so that it is found and ended after harness was killed; absent: not marked. */
    readonly marked?: (process: McpProcessCommand) => McpProcessCommand;
  };
  readonly clock: Clock;
  /** Every request goes through it (`guardedFetch`). */
  readonly fetch: McpFetch;
  readonly people: McpPeople;
  readonly kept: { readonly servers: McpStore; readonly logins: McpLoginStore; readonly secrets: McpSecrets };
  /** The log of a server, by its name. */
  log(server: string): McpLog;
};
