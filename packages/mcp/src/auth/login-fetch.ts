import { isIP } from "node:net";
import { isPrivateAddress } from "@harness/host";
import type { McpFetch } from "../ports/pool-ports.ts";

/**
 * The requests of a login. A server decides where they go, so it could make harness send requests into the user's own
 * network; those are refused. Only names are checked, not the addresses they resolve to.
 */
export function loginFetch(server: string, fetch: McpFetch): McpFetch {
  if (isNear(new URL(server).hostname)) return fetch;
  return (url, init) => {
    const { hostname, origin } = new URL(url);
    if (!isNear(hostname)) return fetch(url, init);
    return Promise.reject(
      new Error(`The server wants a login at ${origin}, which is in your own network while the server is not.`),
    );
  };
}

function isNear(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return isIP(host) === 0 ? host === "localhost" || host.endsWith(".localhost") : isPrivateAddress(host);
}
