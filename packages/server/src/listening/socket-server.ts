import type { SocketLocations } from "@harness/host";
import type { Channel } from "@harness/protocol/wire";
import type { SocketListener } from "./listen-on-socket.ts";

type SocketServerDeps = {
  sockets(): SocketLocations;
  admit(channel: Channel): void;
  later(ms: number, work: () => void): () => void;
  report(error: unknown, where: string): void;
};

/** Late enough not to slow down the first request of a session, nor a short run at all. */
const LISTEN_DELAY_MS = 500;

/** The socket of a server: opened when its first session is held, with the code for it loaded by then. */
export class SocketServer {
  readonly #deps: SocketServerDeps;
  #listener: Promise<SocketListener> | undefined;
  #path: string | undefined;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: SocketServerDeps) {
    this.#deps = deps;
  }

  /** The path of the socket, while there is one. */
  get path(): string | undefined {
    return this.#path;
  }

  /** A session is held, which others may want to look at. */
  soon(): void {
    const { later, report } = this.#deps;
    // Without a socket everything works but that.
    this.#cancel ??= later(LISTEN_DELAY_MS, () => void this.open().catch((error) => report(error, "listening")));
  }

  /** Rejects if there can be no socket, with the reason in sentences. */
  open(): Promise<SocketListener> {
    this.#listener ??= this.#open();
    return this.#listener;
  }

  close(): void {
    this.#isClosed = true;
    this.#path = undefined;
    this.#cancel?.();
    this.#listener?.then(
      (listener) => listener.close(),
      () => undefined,
    );
  }

  async #open(): Promise<SocketListener> {
    const { sockets, admit, report } = this.#deps;
    const { listenOnSocket } = await import("./listen-on-socket.ts");
    const listener = await listenOnSocket({ path: sockets().own(), admit, report });
    if (this.#isClosed) listener.close();
    else this.#path = listener.path;
    return listener;
  }
}
