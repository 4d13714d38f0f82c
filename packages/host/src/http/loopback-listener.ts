import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type LoopbackListener = {
  redirectUri: string;
  close(): void;
};

/** Whether the parameters of a redirect answer the login: with a code, with a refusal, or not at all. */
type OnRedirect = (params: URLSearchParams) => RedirectKind;

type RedirectKind = "code" | "refusal" | "stray";

type Page = { status: number; text: string };

/** All pages that a browser is shown. They repeat nothing that it sent. */
const pages: Record<RedirectKind, Page> = {
  code: { status: 200, text: "harness has received the answer. You can close this page and return to the terminal." },
  refusal: { status: 200, text: "Access was denied. You can close this page and return to the terminal." },
  stray: { status: 400, text: "harness is waiting for a different login. Start again in the terminal." },
};

const nothing: Page = { status: 404, text: "There is nothing here." };

/**
 * Listens only on this machine (RFC 8252, 7.3 and 8.3), until it is closed. Undefined if the port is taken and only
 * that one would do. Port 0: any free port.
 */
export async function listenForRedirect(
  redirect: { port: number; path: string; anyPort?: true },
  onRedirect: OnRedirect,
): Promise<LoopbackListener | undefined> {
  const { port, path, anyPort } = redirect;
  const server = (await listenAt(port)) ?? (anyPort ? await listenAt(0) : undefined);
  if (!server) return undefined;
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", (request, response) => answer(request, response, { host, path }, onRedirect));
  return {
    redirectUri: `http://${host}${path}`,
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function listenAt(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    // `import("node:http")` would load the fetch of Node.
    const server = process.getBuiltinModule("node:http").createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { host, path }: { host: string; path: string },
  onRedirect: OnRedirect,
): void {
  const base = `http://${host}`;
  const url = URL.canParse(request.url ?? "", base) ? new URL(request.url ?? "", base) : undefined;
  // A foreign page that has its own name point to this machine does not know our host.
  const isForUs = request.headers.host === host && url?.host === host;
  if (!isForUs || url?.pathname !== path) send(response, nothing);
  else if (request.method !== "GET") send(response, { ...nothing, status: 405 });
  else send(response, pages[onRedirect(url.searchParams)]);
}

function send(response: ServerResponse, { status, text }: Page): void {
  const style = "font:18px/1.5 system-ui;max-width:32em;margin:15vh auto;padding:0 1em";
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>harness</title><body style="${style}"><p>${text}</p>`);
}
