import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import { type AddressJudge, AddressRefusedError, judgedLookup, type Resolve } from "./judged-lookup.ts";
import type { KeptConnections } from "./kept-connections.ts";
import { chooseProxy, type NamedProxy } from "./proxy-choice.ts";
import { ProxyError, proxyFailure } from "./proxy-failure.ts";
import { socksAgent } from "./socks-agent.ts";
import { trustSystemAuthorities } from "./system-authorities.ts";

export type HttpRequest = {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
  /** `far`: through a proxy if the environment names one; `near`: never through a proxy. */
  connection: "far" | "near";
  /** Keeps the connection for the next request; by default it is closed afterwards. */
  kept?: KeptConnections | undefined;
  /**
   * Called with every address of the host. The request goes to one of these, or is refused; a proxy, which looks up the
   * name itself, gets it only after that.
   */
  judge?: AddressJudge | undefined;
  /** How names are looked up for the judge; by default as the system does it. */
  resolve?: Resolve | undefined;
  onConnect?(): void;
};

type Protocol = {
  request(url: URL, options: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest;
  Agent: new (options: Record<string, unknown>) => Agent;
};

type Attempt = {
  request: HttpRequest;
  protocol: Protocol;
  options: RequestOptions;
  isSecure: boolean;
  proxy: NamedProxy | undefined;
};

/**
 * Resolves when the headers have arrived; redirects are not followed. Rejects with Node's error, the reason of the
 * signal, `AddressRefusedError` or `ProxyError`. Plain `node:http`, for three reasons: Node's fetch gives up on its own
 * after 300 s without headers, which local models need for long prompts, and its limits cannot be set without another
 * package; the moment of connection can be observed, so that it gets its own limit; and the bytes come without web
 * streams around them.
 */
export async function sendHttp(request: HttpRequest): Promise<IncomingMessage> {
  const { url, method, headers, signal, judge, resolve } = request;
  refuseLiteral(url, judge);
  const proxy = proxyOf(request);
  const isSecure = url.protocol === "https:";
  const protocol = protocolOf(isSecure);
  const lookup = judge && judgedLookup(judge, resolve);
  if (lookup && proxy) await lookedUp(lookup, url.hostname);
  const agent = agentOf(request, protocol, proxy);
  const options = { method, headers: { ...headers }, agent, signal, ...(lookup && !proxy && { lookup }) };
  const attempt: Attempt = { request, protocol, options, isSecure, proxy };
  try {
    return await sendOrResend(attempt);
  } catch (error) {
    // The handshake failed, so that nothing was sent.
    if (signal.aborted || !isSecure || !trustSystemAuthorities(error)) throw error;
    return await sendOrResend(attempt);
  }
}

/** A kept connection that the server has closed meanwhile has not seen the request, which is sent once more. */
async function sendOrResend(attempt: Attempt): Promise<IncomingMessage> {
  try {
    return await send(attempt);
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    return send(attempt).catch((second: unknown) => {
      throw second instanceof StaleConnectionError ? second.cause : second;
    });
  }
}

function proxyOf({ url, connection }: HttpRequest): NamedProxy | undefined {
  const choice = connection === "near" ? "direct" : chooseProxy(url, process.env);
  if (choice === "direct") return undefined;
  if ("problem" in choice) throw new ProxyError(choice.problem);
  return choice;
}

/** Rejects if an address of the host is refused. */
function lookedUp(lookup: LookupFunction, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error) => (error ? reject(error) : resolve()));
  });
}

/** Node looks up names only, so literal addresses are judged here. */
function refuseLiteral({ hostname }: URL, judge: AddressJudge | undefined): void {
  const { isIP } = process.getBuiltinModule("node:net");
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  const refused = isIP(host) === 0 ? undefined : judge?.(host);
  if (refused !== undefined) throw new AddressRefusedError(refused);
}

class StaleConnectionError extends Error {}

function send({ request, protocol, options, isSecure, proxy }: Attempt): Promise<IncomingMessage> {
  const { url, body, signal } = request;
  return new Promise((resolve, reject) => {
    const outgoing = protocol.request(url, options, resolve);
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else if (outgoing.reusedSocket && isClosed(error))
        reject(new StaleConnectionError(error.message, { cause: error }));
      else reject((proxy && proxyFailure(proxy, error)) ?? error);
    });
    // A server that switches to a different protocol sends no response, and Node no error.
    outgoing.once("close", () => reject(Object.assign(new Error("no answer"), { code: "HPE_UNEXPECTED_UPGRADE" })));
    outgoing.once("socket", (socket) => {
      if (!socket.connecting) request.onConnect?.();
      else socket.once(isSecure ? "secureConnect" : "connect", () => request.onConnect?.());
    });
    outgoing.end(body);
  });
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === "ECONNRESET" || error.code === "EPIPE";
}

/** `import("node:http")` would load Node's fetch with all its classes: 20 ms and 13 MB. This does not. */
function protocolOf(isSecure: boolean): Protocol {
  return isSecure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
}

function agentOf({ url, kept, judge }: HttpRequest, { Agent }: Protocol, proxy: NamedProxy | undefined): Agent {
  const isSecure = url.protocol === "https:";
  const create = (keepAlive: boolean) => {
    if (proxy?.kind === "socks") return socksAgent(Agent, proxy.url, { keepAlive, isSecure });
    const { href } = proxy?.url ?? {};
    return new Agent({
      keepAlive,
      ...(href === undefined ? {} : { proxyEnv: { http_proxy: href, https_proxy: href } }),
    });
  };
  const way = proxy?.url.href ?? (judge ? "judged" : "direct");
  return kept?.agentFor(`${url.protocol}${way}`, () => create(true)) ?? create(false);
}
