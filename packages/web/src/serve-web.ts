import { readFileSync } from "node:fs";
import { pageFiles } from "./gateway/page-files.ts";
import { ServerConnections } from "./gateway/server-connections.ts";
import { openWebServer } from "./gateway/web-server.ts";

export type WebDeps = {
  version: string;
  /** The folder of sessions that begin on the page. */
  cwd: string;
  /** 0: any free one. */
  port: number;
  /** Other devices may open the page. `plain`: without encryption. */
  sharing: { cert: string; key: string } | "plain" | undefined;
  /** The folder with the files of the page. */
  pageFolder: string;
  /** Starts a server that listens, or finds it; returns the path of its socket. Rejects with a reason for people. */
  startServer(): Promise<string>;
  /** A link that opens the page once. */
  onLink(link: string, at: { isFirst: boolean }): void;
  /** Ends the page. */
  signal: AbortSignal;
};

/** Serves the page until `signal` aborts. Sessions go on. Rejects with a reason for people. */
export async function serveWeb(deps: WebDeps): Promise<void> {
  const { version, cwd, port, sharing, signal, onLink } = deps;
  const sockets = new ServerConnections(deps.startServer);
  // Without a server there is no link.
  (await sockets.own()).destroy();
  const server = await openWebServer({
    port,
    isShared: sharing !== undefined,
    tls: sharing === undefined || sharing === "plain" ? undefined : tlsOf(sharing),
    files: pageFiles(deps.pageFolder),
    about: { version, cwd },
    connect: (name) => (name === undefined ? sockets.own() : sockets.other(name)),
    onOpened: () => onLink(server.newLink(), { isFirst: false }),
  });
  onLink(server.newLink(), { isFirst: true });
  await new Promise<void>((ended) => {
    if (signal.aborted) ended();
    signal.addEventListener("abort", () => ended(), { once: true });
  });
  server.close();
}

function tlsOf({ cert, key }: { cert: string; key: string }): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(cert), key: readFileSync(key) };
}
