import type { NamedProxy } from "./proxy-choice.ts";

/**
 * A request did not get through its proxy, or was not sent because its proxy is not understood. The message is for
 * people.
 */
export class ProxyError extends Error {
  override readonly name = "ProxyFailure";
  readonly code = "ERR_PROXY_FAILED";
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, "refuses connections"],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/, "cannot be found: its name does not resolve"],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, "cannot be reached from here"],
  [/^ERR_PROXY_TUNNEL$/, "does not let the request through"],
  [/^ERR_SOCKS$/, "does not let the request through"],
];

/** Explains an error of the proxy itself; undefined if it may be the server's own. */
export function proxyFailure({ variable, shown }: NamedProxy, error: unknown): ProxyError | undefined {
  const { code = "", syscall, statusCode: status } = error as NodeJS.ErrnoException & { statusCode?: number };
  const row = reasons.find(([codes]) => codes.test(code));
  if (!row && syscall !== "connect" && syscall !== "getaddrinfo") return undefined;
  const words = `${row?.[1] ?? "cannot be reached from here"}${status === undefined ? "" : ` (${status})`}`;
  return new ProxyError(`The proxy in ${variable}, ${shown}, ${words}. Check it, or name the host in NO_PROXY.`, {
    cause: error,
  });
}
