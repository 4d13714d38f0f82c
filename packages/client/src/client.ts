import {
  type Caller,
  type CallParams,
  type ClientMethods,
  type ClientNotifications,
  clientMethods,
  clientNotifications,
  type Handlers,
  PROTOCOL_VERSION,
  type Result,
  type ServerMethods,
  type ServerNotifications,
  type SessionUpdate,
  serverMethods,
  serverNotifications,
} from "@harness/protocol";
import { type Channel, type Connection, type ConnectionEnd, connect } from "@harness/protocol/wire";

/** Answers a request of the server; the signal aborts when the answer is no longer wanted. */
type Answer<M extends keyof ClientMethods> = (
  params: CallParams<ClientMethods, M>,
  signal: AbortSignal,
) => Promise<Result<ClientMethods, M>>;

type Notice = Exclude<keyof ClientNotifications, "session/update">;

/** Listeners by notification name. A notification without a listener is ignored; listeners may be set at any time. */
export type NoticeListeners = { [M in Notice]?: (params: CallParams<ClientNotifications, M>) => void };

export type ClientOptions = {
  clientInfo: { name: string; version: string };
  role?: "controller" | "observer";
  /** Called in order, synchronously. */
  onUpdate(update: SessionUpdate): void;
  /** Absent: this client is never asked for permission, and calls that need it are denied. */
  onPermission?: Answer<"session/request_permission">;
  onQuestion?: Answer<"elicitation/create">;
  /** The files that its person has open; absent: the server reads and writes the disk. */
  buffers?: { read?: Answer<"buffer/read"> | undefined; write?: Answer<"buffer/write"> | undefined };
  notices?: NoticeListeners;
  /**
   * The server has exited or the connection is lost, and calls fail from now on. Called once, and not after `close`.
   */
  onLost(end: ConnectionEnd): void;
  /** A bug on this side, for the log. */
  onBug(error: unknown, where: string): void;
  /** Kinds of update this client does not want. */
  optOut?: string[];
};

export type HarnessClient = {
  readonly server: Result<ServerMethods, "initialize">;
  readonly call: Caller<ServerMethods>["call"];
  /** Asks the server to shut down, which stores everything, then closes. Waits as long as the server lives. */
  close(): Promise<void>;
  /** The same, but a server that others need goes on: it `stays`. */
  leave(): Promise<{ stays: boolean }>;
  /** Drops the connection at once. */
  destroy(): void;
};

const serves = { ...clientMethods, ...clientNotifications };
const calls = { ...serverMethods, ...serverNotifications };

/**
 * Connects to a server and initializes. Rejects with a `ProtocolError` if they cannot agree or the connection is lost;
 * it is then closed and no listener is called.
 */
export async function openClient(channel: Channel, options: ClientOptions): Promise<HarnessClient> {
  let isOpen = false;
  const connection: Connection<ServerMethods & ServerNotifications> = connect({
    channel,
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
      ...(options.buffers ? { buffers: offerOf(options.buffers) } : {}),
      ...(options.optOut ? { updates: { optOut: options.optOut } } : {}),
    },
  });
  const server = await hello.catch((error: unknown) => {
    connection.destroy();
    throw error;
  });
  isOpen = true;
  const shutDown = async (params: { unlessShared?: boolean }) => {
    isOpen = false;
    // A server that is already gone has nothing left to store.
    const ended = await connection.call("shutdown", params).catch(() => undefined);
    await connection.close();
    return { stays: ended?.stays === true };
  };
  return {
    server,
    call: connection.call,
    close: async () => void (await shutDown({})),
    leave: () => shutDown({ unlessShared: true }),
    destroy() {
      isOpen = false;
      connection.destroy();
    },
  };
}

function offerOf({ read, write }: NonNullable<ClientOptions["buffers"]>) {
  return { ...(read ? { read: true as const } : {}), ...(write ? { write: true as const } : {}) };
}

function handlersFor({ onUpdate, onPermission, onQuestion, buffers, notices = {} }: ClientOptions) {
  // Looked up at call time, because a listener may be set later.
  const notice = (method: string) => (params: never) => notices[method as Notice]?.(params);
  const handlers: Partial<Handlers<typeof serves>> = {
    ...Object.fromEntries(Object.keys(clientNotifications).map((method) => [method, notice(method)])),
    "session/update": (params) => onUpdate(params as SessionUpdate),
    "session/request_permission": async (params, { signal }) =>
      (await onPermission?.(params, signal)) ?? { outcome: "cancelled" },
    "elicitation/create": async (params, { signal }) => (await onQuestion?.(params, signal)) ?? { action: "decline" },
    "buffer/read": async (params, { signal }) => (await buffers?.read?.(params, signal)) ?? { missing: "unknown" },
    "buffer/write": async (params, { signal }) =>
      (await buffers?.write?.(params, signal)) ?? { problem: "not offered" },
  };
  // The compiler cannot see that the entries name every notification.
  return handlers as Handlers<typeof serves>;
}
