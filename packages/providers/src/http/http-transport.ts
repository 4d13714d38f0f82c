import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";

/**
 * Plain `node:http`, for three reasons: the fetch of Node gives up on its own after 300 s without headers, which local
 * models need for long prompts, and its limits cannot be set without another package; the moment of connection can be
 * seen, so that it gets its own limit; and the bytes come without web streams around them.
 */
export type HttpRequest = {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
  /** Near servers are never behind a proxy. */
  near: boolean;
  onConnect?(): void;
};

type Protocol = {
  request(url: URL, options: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest;
  Agent: new (options: Record<string, unknown>) => Agent;
};

const agents = new Map<string, Agent>();

/** Resolves when the headers are there. Rejects with Node's error, or the reason of the signal. */
export async function sendHttp(request: HttpRequest): Promise<IncomingMessage> {
  try {
    return await attempt(request);
  } catch (error) {
    // The server closed a connection that we had kept: it has not seen this request. Once more, on another one.
    if (!(error instanceof StaleConnection)) throw error;
    return attempt(request).catch((second: unknown) => {
      throw second instanceof StaleConnection ? second.cause : second;
    });
  }
}

class StaleConnection extends Error {}

function attempt(request: HttpRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, signal } = request;
  return new Promise((resolve, reject) => {
    const secure = url.protocol === "https:";
    const protocol = protocolOf(secure);
    const agent = agentOf(protocol, secure, request.near);
    const outgoing = protocol.request(url, { method, headers: { ...headers }, agent, signal }, resolve);
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else if (outgoing.reusedSocket && isClosed(error)) reject(new StaleConnection(error.message, { cause: error }));
      else reject(error);
    });
    outgoing.once("socket", (socket) => {
      if (!socket.connecting) request.onConnect?.();
      else socket.once(secure ? "secureConnect" : "connect", () => request.onConnect?.());
    });
    outgoing.end(body);
  });
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === "ECONNRESET" || error.code === "EPIPE";
}

/** `import("node:http")` would load the fetch of Node with all its classes: 20 ms and 13 MB. This does not. */
function protocolOf(secure: boolean): Protocol {
  return secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
}

/** Connections are kept between requests; a kept one does not keep the process alive. */
function agentOf(protocol: Protocol, secure: boolean, near: boolean): Agent {
  const name = `${secure}:${near}`;
  const known = agents.get(name);
  if (known) return known;
  const agent = new protocol.Agent({ keepAlive: true, ...(near ? {} : { proxyEnv: process.env }) });
  agents.set(name, agent);
  return agent;
}
