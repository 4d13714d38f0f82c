import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { type Egress, EgressRefused } from "@harness/core";
import { type JudgedLookup, judgedLookup } from "./judged-lookup.ts";

/**
 * Plain `node:http`, for three reasons: the fetch of Node gives up on its own after 300 s without headers, which local
 * models need for long prompts, and its limits cannot be set without another package; the moment of connection can be
 * seen, so that it gets its own limit; and the bytes come without web streams around them.
 */
export type HttpRequest = {
  /** What it is for, in a word: the list of what has left this machine shows it. */
  purpose: string;
  /** Absent: it may go anywhere, and nobody takes note of it. */
  egress?: Egress | undefined;
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

/** Resolves when the headers are there. Rejects with Node's error, the reason of the signal, or `EgressRefused`. */
export async function sendHttp(request: HttpRequest): Promise<IncomingMessage> {
  const { egress, purpose, method, url } = request;
  const passage = egress?.leave({ purpose, method, url: url.href }) ?? {};
  if ("refused" in passage) throw new EgressRefused(passage.refused);
  const lookup = passage.judge && judgedLookup(passage.judge);
  try {
    return await attempt(request, lookup);
  } catch (error) {
    // The server closed a connection that we had kept: it has not seen this request. Once more, on another one.
    if (!(error instanceof StaleConnection)) throw error;
    return attempt(request, lookup).catch((second: unknown) => {
      throw second instanceof StaleConnection ? second.cause : second;
    });
  }
}

class StaleConnection extends Error {}

/** With a `lookup` of its own, a request goes to the addresses that this lets through, and to no proxy. */
function attempt(request: HttpRequest, lookup: JudgedLookup | undefined): Promise<IncomingMessage> {
  const { url, method, headers, body, signal } = request;
  return new Promise((resolve, reject) => {
    const secure = url.protocol === "https:";
    const protocol = protocolOf(secure);
    const agent = agentOf(protocol, secure, lookup ? "judged" : request.near ? "near" : "far");
    const options = { method, headers: { ...headers }, agent, signal, ...(lookup && { lookup }) };
    const outgoing = protocol.request(url, options, resolve);
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else if (outgoing.reusedSocket && isClosed(error)) reject(new StaleConnection(error.message, { cause: error }));
      else reject(error);
    });
    // A server that switches to another protocol sends no answer, and Node no error.
    outgoing.once("close", () => reject(Object.assign(new Error("no answer"), { code: "HPE_UNEXPECTED_UPGRADE" })));
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
function agentOf(protocol: Protocol, secure: boolean, kind: "near" | "far" | "judged"): Agent {
  const name = `${secure}:${kind}`;
  const known = agents.get(name);
  if (known) return known;
  const agent = new protocol.Agent({ keepAlive: true, ...(kind === "far" && { proxyEnv: process.env }) });
  agents.set(name, agent);
  return agent;
}
