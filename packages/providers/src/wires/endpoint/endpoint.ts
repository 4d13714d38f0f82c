import type { Egress } from "@harness/core";
import type { KeptConnections } from "@harness/host";
import type { Settings } from "@harness/protocol";
import type { LoginSession } from "./login-session.ts";
import type { Vendor, WireName } from "./vendor.ts";

/** The setting of the same name. */
export type ReasoningSummary = Settings["reasoning_summary"];

/** Absent: the usual limit for the endpoint. */
export type RequestLimits = {
  /** The longest silence before a request is given up. */
  timeoutMs?: number;
  /** How often a failed request is sent again. */
  maxRetries?: number;
};

/** A vendor at an address, with its credentials. */
export type Endpoint = {
  vendor: Vendor;
  /** The wire API at this address. */
  api: WireName;
  /** Without a trailing slash. May contain a name and a password: display `shown` instead. */
  baseUrl: string;
  /** Sent with every request, including the question mark; absent: none. */
  query?: string;
  /** The flag that the address comes from, for people; absent: a setting, a variable, or the vendor's row. */
  addressFlag?: string;
  /** The address for people. */
  shown: string;
  /** Absent: no authorization is sent, unless there is a login. */
  key?: string;
  /** Provides tokens if the user has logged in. */
  login?: LoginSession;
  /** The variable that holds the key or token; absent: harness stores it, or there is none. */
  accessEnv?: string;
  headers: Readonly<Record<string, string>>;
  /** Checks outgoing requests; absent: all are allowed. */
  egress?: Egress;
  /** Keeps connections for later requests; absent: each request opens its own. */
  connections?: KeptConnections;
  /**
   * How long a server that unloads models keeps this one after a request, such as `15m` or `-1`; absent: 15 minutes.
   */
  keepAlive?: string;
  /** Replies are requested in one piece, because the server breaks streams. */
  streams?: false;
  /** How detailed the requested summary of a model's thoughts is; absent: `auto`. */
  reasoningSummary?: ReasoningSummary;
  /** The user's limits for requests, read each time. */
  limits?(): RequestLimits;
  /** Its prompt counts omit what the server had read before. */
  countsPart?: true;
  /**
   * True on this machine or in a private network: it evaluates prompts slowly, is not behind a proxy and needs no key.
   */
  near: boolean;
  /** The address leads to this machine itself. */
  isThisMachine?: true;
  /** True if the address is the vendor's own, not one given by the user. */
  usual: boolean;
};
