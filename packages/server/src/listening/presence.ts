import type { SocketLocations } from "@harness/host";
import type { Channel } from "@harness/protocol/wire";
import type { ConnectedClients } from "../clients/connected-clients.ts";
import { ServerLifetime } from "../clients/server-lifetime.ts";
import { agentsAtWork, type LiveEntry } from "../sessions/live-entry.ts";
import type { SessionObserver } from "../sessions/session-observer.ts";
import { SocketServer } from "./socket-server.ts";

/** How others find a server, and how long it is there. */
export type Presence = {
  readonly lifetime: ServerLifetime;
  readonly listening: SocketServer;
  /** The sockets of this person's servers. */
  sockets(): SocketLocations;
  /** The socket of the server in another process, if it has one that can be trusted. */
  socketOf(pid: number): string | undefined;
  readonly observer: SessionObserver;
};

export type PresenceDeps = {
  sockets(): SocketLocations;
  clients: ConnectedClients;
  sessions(): readonly LiveEntry[];
  /** A client has connected. */
  admit(channel: Channel): void;
  later(ms: number, work: () => void): () => void;
  report(error: unknown, where: string): void;
  exit(): void;
};

export function openPresence({ clients, sessions, exit, ...deps }: PresenceDeps): Presence {
  const lifetime = new ServerLifetime({
    clients: () => clients.all,
    follows: (client) => sessions().some(({ subscribers }) => subscribers.has(client)),
    hasWork: () => sessions().some(hasWork),
    later: deps.later,
    end: exit,
  });
  const listening = new SocketServer(deps);
  const observer = { onOpened: () => listening.soon(), see: () => lifetime.look(), onClosed: () => lifetime.look() };
  const socketOf = (pid: number) => {
    try {
      return deps.sockets().of(pid);
    } catch {
      // The folder is not safe: `session/live` says why.
      return undefined;
    }
  };
  return { lifetime, listening, sockets: deps.sockets, socketOf, observer };
}

/** True while it has to go on though nobody looks: an agent or a process runs, or a question waits. */
function hasWork(entry: LiveEntry): boolean {
  if (agentsAtWork(entry) > 0 || entry.requests.pending().length > 0) return true;
  return [...entry.session.state.processes.values()].some(({ state, kept }) => state === "running" && !kept);
}
