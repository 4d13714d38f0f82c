import { BlockList, isIP } from "node:net";
import type { McpFetch } from "../ports/pool-ports.ts";

/** As `address/bits`: this machine, private networks, and what a machine in a data centre asks about itself. */
const OWN_V4 = "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16";
const OWN_V6 = "::/127 fc00::/7 fe80::/10";

/**
 * The requests of a login. A server says where they go: one elsewhere could have harness ask around in the person's own
 * network, which is refused. Names that lead there are not known here.
 */
export function loginFetch(server: string, fetch: McpFetch): McpFetch {
  if (isOwnNetwork(new URL(server).hostname)) return fetch;
  return (url, init) => {
    const { hostname, origin } = new URL(url);
    if (!isOwnNetwork(hostname)) return fetch(url, init);
    return Promise.reject(
      new Error(`The server wants a login at ${origin}, which is in your own network and not its own.`),
    );
  };
}

function isOwnNetwork(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(host) === 0) return host === "localhost" || host.endsWith(".localhost");
  const own = new BlockList();
  for (const [family, ranges] of [["ipv4", OWN_V4] as const, ["ipv6", OWN_V6] as const]) {
    for (const range of ranges.split(" ")) {
      const [address = "", bits] = range.split("/");
      own.addSubnet(address, Number(bits), family);
    }
  }
  return own.check(host, isIP(host) === 4 ? "ipv4" : "ipv6");
}
