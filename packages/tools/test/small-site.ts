import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { EgressDecision, EgressRequest } from "@harness/core";
import { noWeb } from "../src/web/no-web.ts";
import type { SearchSettings, WebPorts } from "../src/web/web-ports.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server on this machine with a page per path. For tests. */
export class SmallSite {
  readonly requests: IncomingMessage[] = [];
  readonly #pages: Readonly<Record<string, Answer>>;
  readonly #server = createServer((request, response) => {
    this.requests.push(request);
    const answer = this.#pages[request.url?.split("?")[0] ?? ""];
    if (answer) answer(response, request);
    else response.writeHead(404, { "content-type": "text/plain" }).end("No such page.");
  });

  constructor(pages: Readonly<Record<string, Answer>>) {
    this.#pages = pages;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  open(): Promise<void> {
    return new Promise((done) => this.#server.listen(0, "127.0.0.1", done));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(() => done()));
  }
}

/** Text of a type. */
export function page(type: string, body: string | Buffer, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(200, { "content-type": type, ...headers }).end(body);
}

export type OpenWeb = WebPorts & { left: EgressRequest[]; allowed: string[] };

/** Ports that allow everything that the tools themselves allow. For tests. */
export function openWeb(
  over: { lookup?: WebPorts["lookup"]; decision?: EgressDecision; search?: Partial<SearchSettings> } = {},
): OpenWeb {
  const left: EgressRequest[] = [];
  const allowed: string[] = [];
  return {
    ...noWeb,
    left,
    allowed,
    egress: {
      localOnly: false,
      leave(request) {
        left.push(request);
        return over.decision ?? {};
      },
      barrier: async () => undefined,
    },
    allowedPrivate: () => allowed,
    isSecret: (text) => text.includes("hunter2-secret"),
    search: () => ({ ...noWeb.search(), ...over.search }),
    ...(over.lookup && { lookup: over.lookup }),
  };
}
