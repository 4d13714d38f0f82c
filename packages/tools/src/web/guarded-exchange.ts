import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { addressClass } from "./address-class.ts";
import { isAllowed, privateProblem, type WebAddress } from "./web-address.ts";
import type { WebPorts } from "./web-ports.ts";

export type WebRequest = {
  /** For the list of what has left this machine. */
  purpose: "web_fetch" | "web_search";
  method: "GET" | "POST";
  address: WebAddress;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
};

type Ports = Pick<WebPorts, "egress" | "lookup"> & { allowedPrivate: readonly string[] };
type Address = { address: string; family: number };

/**
 * One request, no redirect followed. The name is looked up here, every address is judged, and the connection goes to one
 * of these: a name that stands for another address a moment later leads nowhere. No cookies, no proxy, no connection
 * that others have opened. The problem is a sentence. Rejects with Node's errors and the reason of the signal.
 */
export async function guardedExchange(
  request: WebRequest,
  ports: Ports,
): Promise<{ response: IncomingMessage } | { problem: string }> {
  const { address, purpose, method, signal } = request;
  const passage = ports.egress.leave({ purpose, method, url: address.url.href });
  if ("refused" in passage) return { problem: passage.refused };
  if (passage.judge && !isAllowed(address, ports)) return { problem: unopenedProblem(request, passage.judge) };
  const found = await unlessAborted(addressesOf(address.host, ports), signal);
  if (found.length === 0) return { problem: `There is no host ${address.host}: the name is not known here.` };
  for (const each of found) {
    const problem = addressProblem(each.address, address, ports) ?? passage.judge?.(each.address);
    if (problem !== undefined) return { problem };
  }
  return { response: await send(request, found) };
}

/**
 * Where only the own network may be reached, only a rule opens a place. A name that none has opened is not looked up:
 * those who are asked for it would hear it, and it may be one that a model made up to tell them something.
 */
function unopenedProblem({ address, purpose }: WebRequest, judge: (address: string) => string | undefined): string {
  const refused = judge(address.host);
  const { problem, needs } = privateProblem(address);
  if (refused === undefined) return problem;
  return purpose === "web_fetch" ? `${refused} Where it is in a private network, a rule opens it: ${needs}.` : refused;
}

async function addressesOf(host: string, { lookup }: Ports): Promise<Address[]> {
  const { isIP } = process.getBuiltinModule("node:net");
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  if (lookup) return lookup(host);
  const dns = process.getBuiltinModule("node:dns/promises");
  try {
    return await dns.lookup(host, { all: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTFOUND") return [];
    throw error;
  }
}

/** A name server may take its time; nobody has to wait for it. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function addressProblem(found: string, address: WebAddress, { allowedPrivate }: Ports): string | undefined {
  const kind = addressClass(found);
  const shown = found === address.host ? address.host : `${address.host} (${found})`;
  if (kind === "metadata") return `${shown} is a metadata service, which is never reached.`;
  if (kind === "odd") return `${shown} is not an address of the internet, and is never reached.`;
  if (kind === "public" || isAllowed(address, { allowedPrivate })) return undefined;
  return privateProblem(address).problem;
}

function send({ address, method, headers, body, signal }: WebRequest, found: Address[]): Promise<IncomingMessage> {
  const { url, host, port } = address;
  const named = host.includes(":") ? `[${host}]` : host;
  const isSecure = url.protocol === "https:";
  // `import("node:http")` would load the fetch of Node.
  const http = isSecure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  const options: RequestOptions = {
    protocol: url.protocol,
    host,
    port,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...headers, host: url.port === "" ? named : `${named}:${port}` },
    // A new one: it knows no proxy, and its connection is closed afterwards.
    agent: new http.Agent({ keepAlive: false }),
    lookup: (_name, asked, answer) => {
      const [first] = found;
      if (asked.all || !first) answer(null, found);
      else answer(null, first.address, first.family);
    },
    signal,
  };
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = http.request(options, resolve);
    outgoing.once("error", (error) => reject(signal.aborted ? signal.reason : error));
    // A server that switches to another protocol sends no answer, and Node no error.
    outgoing.once("close", () => reject(Object.assign(new Error("no answer"), { code: "HPE_UNEXPECTED_UPGRADE" })));
    outgoing.end(body);
  });
}
