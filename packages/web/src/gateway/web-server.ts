import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { OriginCheck } from "../access/origin-check.ts";
import { WebAccess } from "../access/web-access.ts";
import { type PageFile, pageHeaders } from "./page-files.ts";
import { joinSockets } from "./socket-bridge.ts";

/** The subprotocol, and the prefix of the one that carries the key: a page cannot set headers of a WebSocket. */
const PROTOCOL = "harness";
const KEY_PREFIX = "key.";
/** A message with images; larger frames end the connection (close code 1009). */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_BODY_BYTES = 1024;
const MAX_CONNECTIONS = 64;

export type WebServerOptions = {
  port: number;
  /** The certificate and its key, in PEM. Absent: without encryption. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** Other devices may connect. */
  isShared: boolean;
  files: ReadonlyMap<string, PageFile>;
  /** Sent to the page with its key. */
  about: object;
  /** Connects to a server. `name`: of the socket of one that holds a session; undefined: to that of the page. */
  connect(name: string | undefined): Promise<Socket>;
  /** A browser has used the link. */
  onOpened(): void;
};

export type WebServer = {
  /** A link that opens one browser. */
  newLink(): string;
  close(): void;
};

/** Serves the page and its WebSocket. Rejects if the port cannot be had. */
export async function openWebServer(options: WebServerOptions): Promise<WebServer> {
  const { tls, isShared } = options;
  const access = new WebAccess();
  const server: Server = tls ? createTlsServer(tls) : createServer();
  await new Promise<void>((listening, failed) => {
    server.once("error", failed).listen(options.port, isShared ? "0.0.0.0" : "127.0.0.1", listening);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const { port } = server.address() as AddressInfo;
  const origin = new OriginCheck({ scheme: tls ? "https" : "http", port, isShared });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: () => PROTOCOL,
  });
  server.on("request", requestListener(options, { access, origin }));
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const refusal = refusalOf(request, { access, origin });
    if (refusal !== undefined) return refuse(socket, refusal);
    const name = new URL(request.url ?? "/", "http://page").searchParams.get("at") ?? undefined;
    options.connect(name).then(
      (connected) => {
        // Also if the browser's side is refused, or has gone meanwhile.
        socket.once("close", () => connected.destroy());
        if (socket.destroyed) connected.destroy();
        sockets.handleUpgrade(request, socket, head, (browser) => joinSockets(browser, connected));
      },
      () => refuse(socket, "502 Bad Gateway"),
    );
  });
  return {
    newLink: () => `${origin.scheme}://${origin.name}:${port}/#${access.newToken()}`,
    close() {
      for (const browser of sockets.clients) browser.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}

type Checks = { access: WebAccess; origin: OriginCheck };

function requestListener({ files, about, onOpened }: WebServerOptions, { access, origin }: Checks): RequestListener {
  return (request, response) => {
    const { host = "" } = request.headers;
    const answer = (status: number, body: object) => {
      response.writeHead(status, { ...pageHeaders(""), "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (!origin.isHost(host)) return answer(421, { error: "This address is not one of this page." });
    const path = request.url?.split("?")[0] ?? "/";
    const file = files.get(path);
    if (file && (request.method === "GET" || request.method === "HEAD")) {
      response.writeHead(200, {
        ...pageHeaders(`${origin.scheme === "https" ? "wss" : "ws"}://${host}`),
        "content-type": file.type,
      });
      response.end(request.method === "HEAD" ? undefined : file.body);
      return;
    }
    if (path !== "/key" || request.method !== "POST") return answer(404, { error: "There is nothing here." });
    if (!origin.isOrigin(request.headers.origin)) return answer(403, { error: "Another page has asked." });
    void bodyOf(request).then((token) => {
      const key = token === undefined ? undefined : access.redeem(token);
      if (key === undefined)
        return answer(403, { error: "This link has been used already, or it is not of this start." });
      answer(200, { key, ...about });
      onOpened();
    });
  };
}

/** Why a WebSocket is refused, as a status line; undefined: it is not. */
function refusalOf({ url = "", headers }: IncomingMessage, { access, origin }: Checks): string | undefined {
  if (!origin.isHost(headers.host)) return "421 Misdirected Request";
  if (!origin.isOrigin(headers.origin)) return "403 Forbidden";
  if (url.split("?")[0] !== "/socket") return "404 Not Found";
  const protocols = (headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  const key = protocols.find((each) => each.startsWith(KEY_PREFIX))?.slice(KEY_PREFIX.length) ?? "";
  return protocols.includes(PROTOCOL) && access.isKey(key) ? undefined : "401 Unauthorized";
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Undefined if it is too long, or is cut off. */
function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => {
      // The rest of a longer one is dropped as it comes.
      if (body.length <= MAX_BODY_BYTES) body += text;
      if (body.length > MAX_BODY_BYTES) resolve(undefined);
    });
    request.on("end", () => resolve(body));
    request.on("error", () => resolve(undefined));
  });
}
