import type { ParentProxies } from "./parent-proxies.ts";

/** Requests to the proxy process and its answers: one message each, in order, over the process's channel. */
export type ProxyRequest =
  /** Opens the route to these hosts. `socat`: absent on macOS. */
  | { ask: "open"; allowedDomains: string[]; parents: ParentProxies; socat?: string; bwrap?: string; rg?: string }
  /** macOS: the command line that runs `command` contained. */
  | { ask: "wrap"; command: string; shell: string; key: string; writable: string[]; fixed: string[]; hidden: string[] }
  /** The hosts refused to the command with this key since the last request. */
  | { ask: "refused"; key: string };

export type ProxyAnswer =
  /** `socket` leads to the proxy; `token` is its password. */
  { opened: { socket?: string; token?: string } } | { wrapped: string } | { refused: string[] } | { problem: string };
