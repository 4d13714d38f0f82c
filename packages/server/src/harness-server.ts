import {
  clientMethods,
  clientNotifications,
  closedError,
  type ProtocolError,
  protocolError,
  serverMethods,
  serverNotifications,
} from "@harness/protocol";
import { type Channel, type Connection, connect, RequestQueue } from "@harness/protocol/wire";
import { nodeClock, systemRefusal } from "@harness/workspace";
import type { Client } from "./clients/client.ts";
import { observerRefusal } from "./clients/observer-refusal.ts";
import type { CommandCatalog } from "./commands/command-catalog.ts";
import type { HandlerHost } from "./handler-host.ts";
import { handlersFor } from "./handlers/index.ts";
import type { Presence } from "./listening/presence.ts";

const serves = { ...serverMethods, ...serverNotifications };
const calls = { ...clientMethods, ...clientNotifications };

type HarnessServerDeps = {
  /** Everything that handlers use. */
  host: HandlerHost;
  commands: CommandCatalog;
  exit(): void;
  report(error: unknown, where: string): void;
};

/** Called when a client leaves. */
export type Departure = {
  /** The client has stopped sending; it still receives updates until the returned promise resolves. */
  onEnd(client: Client): Promise<void> | void;
  /** The connection is closed. */
  onGone(): void;
};

/** How long open requests may take after their client has stopped sending. */
const ANSWER_GRACE_MS = 5_000;

/** How long a client that has stopped sending may take to read the rest of its messages. */
const LEAVE_GRACE_MS = 30_000;

/** Placeholder until the connection exists; no handler runs before that. */
const noClient: Client["peer"] = {
  call: () => Promise.reject(closedError()),
  notify: () => undefined,
  ready: () => undefined,
};

/** How long running work may take to end when the server shuts down. */
const SHUTDOWN_GRACE_MS = 3_000;

/** Serves the method table to any number of clients. */
export class HarnessServer {
  readonly #host: HandlerHost;
  readonly #commands: CommandCatalog;
  readonly #exit: () => void;
  readonly #report: HarnessServerDeps["report"];
  readonly #queue = new RequestQueue();
  #stopping: Promise<void> | undefined;

  constructor({ host, commands, exit, report }: HarnessServerDeps) {
    this.#commands = commands;
    this.#report = report;
    this.#host = host;
    this.#exit = exit;
  }

  /** Serves a client that has come by itself, over any transport, until it leaves: its work goes on without it. */
  admit(channel: Channel, name: string): void {
    const { lifetime } = this.#host.identity.presence;
    this.accept(channel, name, { onEnd: () => undefined, onGone: () => lifetime.look() });
    lifetime.look();
  }

  /** How others find this server, and how long it lives. */
  get presence(): Presence {
    return this.#host.identity.presence;
  }

  /** Serves one more client until it leaves. */
  accept(channel: Channel, name: string, { onEnd, onGone }: Departure): void {
    const gone = new AbortController();
    const client: Client = { name, profile: undefined, closed: gone.signal, peer: noClient };
    const leave = async (connection: Connection<typeof calls>) => {
      // A client that has stopped sending may still read: it gets its answers and the end of the work it started.
      await Promise.race([connection.idle(), nodeClock.sleep(ANSWER_GRACE_MS)]);
      await onEnd(client);
      // Limited, because a client that has stopped reading would keep this process alive.
      await Promise.race([this.#takeLeave(client, connection), nodeClock.sleep(LEAVE_GRACE_MS)]);
      connection.destroy();
      this.#host.clients.remove(client);
      gone.abort();
      onGone();
    };
    client.peer = connect({
      channel,
      defer: setImmediate,
      queue: this.#queue,
      serve: {
        table: serves,
        handlers: handlersFor(
          this.#host,
          { commands: this.#commands, shutdown: () => this.shutdown(), exit: this.#exit },
          client,
        ),
      },
      call: { table: calls },
      refuse: (method, params) => this.#refusal(client, method, params),
      refusalOf: systemRefusal,
      onBug: (error, errorId, method) => this.#report(error, `${method} (error id ${errorId})`),
      onLagged: (droppedChunks, { notify }) => notify("server/lagged", { droppedChunks }),
      onClose: (_end, connection) => void leave(connection),
    });
    this.#host.clients.add(client);
  }

  async #takeLeave(client: Client, connection: Connection<typeof calls>): Promise<void> {
    const { live } = this.#host.sessions;
    await Promise.all(live.all().map(({ subscribers }) => subscribers.caughtUp(client)));
    await connection.close();
  }

  /** Ends all work and writes everything down; safe to call again. */
  shutdown(): Promise<void> {
    this.#host.identity.presence.listening.close();
    this.#host.models.logins.close();
    this.#host.person.settings.watch.close();
    this.#host.person.keys.close();
    this.#host.sessions.index.close();
    this.#host.records.codeSearch.close();
    this.#stopping ??= this.#host.sessions.live
      .closeAll(SHUTDOWN_GRACE_MS)
      .then(() => Promise.all([this.#host.models.choice.close(), this.#host.workspaces.close()]))
      .then(() => undefined);
    return this.#stopping;
  }

  #refusal(client: Client, method: string, params: unknown): ProtocolError | undefined {
    if (method === "initialize" || method === "exit") return undefined;
    if (!client.profile)
      return protocolError("invalid_request", `Send initialize before ${method}.`, { reason: "not_initialized" });
    const denied = client.profile.role === "observer" ? observerRefusal(this.#host, method, params) : undefined;
    if (denied) return denied;
    if (this.#stopping && method !== "shutdown") return protocolError("conflict", "The server is shutting down.", {});
    return undefined;
  }
}
