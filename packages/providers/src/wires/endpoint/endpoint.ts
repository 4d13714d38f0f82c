import type { Egress } from "@harness/core";
import type { KeptConnections } from "@harness/host";
import type { Settings } from "@harness/protocol";
import type { LoginSession } from "./login-session.ts";
import type { Vendor, WireName } from "./vendor.ts";

/** The setting of that name. */
export type ReasoningSummary = Settings["reasoning_summary"];

/** Absent: what suits the endpoint. */
export type RequestLimits = {
  /** Silence after which a request is given up. */
  timeoutMs?: number;
  /** How often a request that failed is sent again. */
  maxRetries?: number;
};

/** A vendor at an address, with its credentials. */
export type Endpoint = {
  vendor: Vendor;
  /** The wire API at this address. */
  api: WireName;
  /** Without a slash at the end. May hold a name and a password: show `shown` instead. */
  baseUrl: string;
  /** Sent with every request, from its question mark on; absent: none. */
  query?: string;
  /** The flag that the address is from, for people; absent: from a setting, a variable, or the vendor's row. */
  addressFlag?: string;
  /** The address for people. */
  shown: string;
  /** Absent: no authorization is sent, unless there is a login. */
  key?: string;
  /** Hands out tokens where the person has logged in. */
  login?: LoginSession;
  /** The variable that the key or the token is in; absent: harness keeps it, or there is none. */
  accessEnv?: string;
  headers: Readonly<Record<string, string>>;
  /** Checks outgoing requests; absent: all are allowed. */
  egress?: Egress;
  /** Keeps connections for the next request; absent: each request has its own. */
  connections?: KeptConnections;
  /** How long a server that unloads models keeps this one after a request, such as `15m` or `-1`; absent: 15 minutes. */
  keepAlive?: string;
  /** Replies are asked for in one piece: the server breaks streams. */
  streams?: false;
  /** How detailed a summary of its thoughts a model is asked for; absent: `auto`. */
  reasoningSummary?: ReasoningSummary;
  /** The person's limits for requests, read each time. */
  limits?(): RequestLimits;
  /** Its prompt counts leave out what the server had read before. */
  countsPart?: true;
  /**
   * Whether it is on this machine or in a private network: it evaluates prompts slowly, is not behind a proxy and needs
   * no key.
   */
  near: boolean;
  /** The address is the vendor's own, not one that a person gave. */
  usual: boolean;
};
