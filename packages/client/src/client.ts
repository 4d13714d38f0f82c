import {
  type Caller,
  type CallParams,
  type ClientMethods,
  type ClientNotifications,
  clientMethods,
  clientNotifications,
  PROTOCOL_VERSION,
  type Result,
  type ServerMethods,
  type ServerNotifications,
  type SessionUpdate,
  serverMethods,
  serverNotifications,
} from "@harness/protocol";
import { type Channel, type Connection, type ConnectionEnd, connect } from "@harness/protocol/wire";

type Serves = ClientMethods & ClientNotifications;
type Calls = ServerMethods & ServerNotifications;

/** Answers a request of the server; the signal aborts when the answer is not wanted any more. */
type Answer<M extends keyof ClientMethods> = (
  params: CallParams<ClientMethods, M>,
  signal: AbortSignal,
) => Promise<Result<ClientMethods, M>>;

export type ClientOptions = {
  clientInfo: { name: string; version: string };
  role?: "controller" | "observer";
  /** Called in order, synchronously. */
  onUpdate(update: SessionUpdate): void;
  /** Absent = this client is never asked for permission, and what would be asked is denied. */
  onPermission?: Answer<"session/request_permission">;
  onQuestion?: Answer<"elicitation/create">;
  onNotice?<M extends Exclude<keyof ClientNotifications, "session/update">>(
    method: M,
    params: CallParams<ClientNotifications, M>,
  ): void;
  /** The server is gone; nothing can be called any more. Comes once, and not after `close`. */
  onLost(end: ConnectionEnd): void;
  /** A bug on this side, for the log. */
  onBug(error: unknown, where: string): void;
  /** Kinds of update this client does not want. */
  optOut?: string[];
};

export type Client = {
  readonly server: Result<ServerMethods, "initialize">;
  readonly call: Caller<Calls>["call"];
  /** Asks the server to end and write everything down, then closes. Waits as long as the server lives. */
  close(): Promise<void>;
  /** Lets go at once. */
  destroy(): void;
};

const serves = { ...clientMethods, ...clientNotifications };
const calls = { ...serverMethods, ...serverNotifications };

/**
 * Opens a conversation with a server: connects and initializes. Rejects with a `ProtocolError` when they cannot agree or
 * the server is gone; then the connection is closed and nothing else is heard of it.
 */
export async function openClient(channel: Channel, options: ClientOptions): Promise<Client> {
  let isOpen = false;
  const connection: Connection<Calls> = connect({
    channel,
    name: "server",
    defer: setImmediate,
    serve: { table: serves, handlers: handlersFor(options) },
    call: { table: calls },
    onBug: (error, errorId, method) => options.onBug(error, `${method} (error id ${errorId})`),
    onClose: (end, { destroy }) => {
      // Withdraws questions that are still open here.
      destroy();
      if (isOpen) options.onLost(end);
    },
    trustPeer: true,
  });
  const hello = connection.call("initialize", {
    protocolVersions: [PROTOCOL_VERSION],
    clientInfo: options.clientInfo,
    role: options.role ?? "controller",
    capabilities: {
      ...(options.onPermission ? { permission: {} } : {}),
      ...(options.onQuestion ? { elicitation: {} } : {}),
      ...(options.optOut ? { updates: { optOut: options.optOut } } : {}),
    },
  });
  const server = await hello.catch((error: unknown) => {
    connection.destroy();
    throw error;
  });
  isOpen = true;
  return {
    server,
    call: connection.call,
    async close() {
      isOpen = false;
      // A server that is gone already has nothing left to write down.
      await connection.call("shutdown", {}).catch(() => undefined);
      await connection.close();
    },
    destroy() {
      isOpen = false;
      connection.destroy();
    },
  };
}

function handlersFor(options: ClientOptions) {
  const tell =
    <M extends Exclude<keyof ClientNotifications, "session/update">>(method: M) =>
    (params: CallParams<ClientNotifications, M>): void =>
      options.onNotice?.(method, params);
  return {
    "session/request_permission": async (
      params: CallParams<Serves, "session/request_permission">,
      { signal }: { signal: AbortSignal },
    ) => (await options.onPermission?.(params, signal)) ?? { outcome: "cancelled" as const },
    "elicitation/create": async (
      params: CallParams<Serves, "elicitation/create">,
      { signal }: { signal: AbortSignal },
    ) => (await options.onQuestion?.(params, signal)) ?? { action: "decline" as const },
    "session/update": (params: CallParams<Serves, "session/update">) => options.onUpdate(params as SessionUpdate),
    "server/lagged": tell("server/lagged"),
    "hud/update": tell("hud/update"),
    "settings/changed": tell("settings/changed"),
    "sessions/changed": tell("sessions/changed"),
    "models/probe": tell("models/probe"),
    "auth/login_update": tell("auth/login_update"),
  };
}
