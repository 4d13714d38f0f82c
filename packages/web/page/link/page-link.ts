import { type LinkState, openClient, ServerLink, type ServerListeners, SessionRouter } from "@harness/client/browser";
import { lineChannel } from "@harness/protocol/wire";
import { randomUUID } from "./node-globals.ts";
import type { PageKey } from "./page-key.ts";
import { webSocketStream } from "./web-socket-stream.ts";

const NAME = "web";
/** The largest fact of a stored session, in UTF-16 units. */
const MAX_JOINED_LENGTH = 256 * 1024 * 1024;

type PageLinkOptions = {
  key: PageKey;
  listeners: ServerListeners;
  onStatus(state: LinkState): void;
  /** Connected, or connected again. */
  onReady(call: SessionRouter["call"]): Promise<void>;
  /** The server that worked on the session has gone. */
  onHolderLost(sessionId: string, server: Pick<SessionRouter, "call">): Promise<void>;
};

export type PageLink = {
  readonly router: SessionRouter;
  start(): void;
  /** Tries once more after all attempts have failed. */
  retry(): void;
};

/** The connection of the page: to its own server, and to those that hold the sessions in view. */
export function pageLink(options: PageLinkOptions): PageLink {
  const { key, listeners, onReady, onHolderLost } = options;
  const connect = async (at: string | undefined, onLost: (reason: string) => void, heard: ServerListeners) => {
    const channel = lineChannel(await webSocketStream(key.key, at), { maxJoinedLength: MAX_JOINED_LENGTH });
    return await openClient(channel, {
      ...heard,
      clientInfo: { name: NAME, version: key.version },
      onLost: () => onLost("the connection is lost."),
      onBug: (error) => reportError(error),
    });
  };
  const link = new ServerLink({
    newId: randomUUID,
    listeners,
    clock: {
      now: () => performance.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    onStatus: options.onStatus,
    onReady: (client) => onReady(router.over(client).call),
    async connect({ onLost, ...heard }) {
      const { call, destroy } = await connect(undefined, onLost, heard);
      // The server belongs to nobody in particular.
      return { call, close: async () => destroy() };
    },
  });
  const router: SessionRouter = new SessionRouter({
    own: link,
    connect: (socketPath, onLost) => connect(socketPath.split("/").at(-1), onLost, listeners),
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onAttached: () => undefined,
    onLost: onHolderLost,
  });
  return { router, start: () => void link.start(), retry: () => link.retry() };
}
