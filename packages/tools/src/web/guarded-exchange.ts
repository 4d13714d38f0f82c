import type { IncomingMessage } from "node:http";
import { AddressRefusedError, errorCode, sendHttp } from "@harness/host";
import { addressClass } from "./address-class.ts";
import { isAllowed, privateProblem, type WebAddress } from "./web-address.ts";
import type { WebPorts } from "./web-ports.ts";

export type WebRequest = {
  /** Shown in the list of requests that have left this machine. */
  purpose: "web_fetch" | "web_search";
  method: "GET" | "POST";
  address: WebAddress;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
};

type Ports = Pick<WebPorts, "egress" | "lookup"> & { allowedPrivate: readonly string[] };

/**
 * Sends one request and follows no redirect. Every address of the name is judged, and the connection goes to one of
 * these: a name that changes its address a moment later gains nothing. No cookies, no shared connections. The problem
 * is a sentence. Rejects with Node's errors and the signal's reason.
 */
export async function guardedExchange(
  request: WebRequest,
  ports: Ports,
): Promise<{ response: IncomingMessage } | { problem: string }> {
  const { address, purpose, method, headers, body, signal } = request;
  const decision = ports.egress.leave({ purpose, method, url: address.url.href });
  if ("refused" in decision) return { problem: decision.refused };
  if (decision.judge && !isAllowed(address, ports)) return { problem: unopenedProblem(request, decision.judge) };
  const url = new URL(address.url);
  // Without a trailing dot, which is not part of the name that a certificate proves.
  if (!address.host.includes(":")) url.hostname = address.host;
  try {
    const response = await sendHttp({
      url,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal,
      // Private addresses are never behind a proxy.
      connection: decision.judge || isAllowed(address, ports) ? "near" : "far",
      judge: (found) => addressProblem(found, address, ports) ?? decision.judge?.(found),
      resolve: ports.lookup,
    });
    return { response };
  } catch (error) {
    if (error instanceof AddressRefusedError) return { problem: error.message };
    if (errorCode(error) !== "ENOTFOUND") throw error;
    return { problem: `The host ${address.host} cannot be found: no server knows its name.` };
  }
}

/**
 * In local-only mode, only a rule allows a host. A name without a rule is not looked up: name servers would see it, and
 * a model may have made it up to send them something.
 */
function unopenedProblem({ address, purpose }: WebRequest, judge: (address: string) => string | undefined): string {
  const refused = judge(address.host);
  const { problem, needs } = privateProblem(address);
  if (refused === undefined) return problem;
  return purpose === "web_fetch" ? `${refused} Where it is in a private network, a rule opens it: ${needs}.` : refused;
}

/** Why an address that a name resolves to is not contacted, as a sentence. */
export function addressProblem(
  found: string,
  address: WebAddress,
  { allowedPrivate }: Pick<Ports, "allowedPrivate">,
): string | undefined {
  const kind = addressClass(found);
  const shown = found === address.host ? address.host : `${address.host} (${found})`;
  if (kind === "metadata") return `${shown} is a metadata service, which harness never contacts.`;
  if (kind === "odd") return `${shown} is not an internet address, and harness never contacts it.`;
  if (kind === "public" || isAllowed(address, { allowedPrivate })) return undefined;
  return privateProblem(address).problem;
}
