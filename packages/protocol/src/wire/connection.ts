// A connection: serves one table to the peer and calls another one at it, over any channel.
import type { Message } from "vscode-jsonrpc";
import type { Caller, ConnectionHandle, Handlers, NotifyOptions, Table } from "../methods/table.ts";
import { notificationRow } from "../methods/table.ts";
import { type ProtocolError, protocolError } from "../vocabulary/errors.ts";
import { Admission, type RequestId, type Verdict } from "./admission.ts";
import { Calls } from "./calls.ts";
import type { Backlog, Channel } from "./channel.ts";
import { Inbox } from "./inbox.ts";
import { Lanes } from "./lanes.ts";
import { createRpc } from "./rpc.ts";
import { describeIssues, issuesOf } from "./schema-issues.ts";
import { Serving } from "./serving.ts";

export const defaultMaxInFlight = 64;

/**
 * `ended`: the peer sends no more, but may still read: handlers go on and their answers are sent (a script may close its
 * end after its last request) until this side calls `close`. `failed`: nothing can be sent any more. `closed`: this side
 * closed it.
 */
export type ConnectionEnd = { readonly reason: "ended" | "failed" | "closed"; readonly error?: Error };

/** Told of every failure that is a bug and not an answer. `errorId` is all the peer gets to know of it. */
export type OnBug = (error: unknown, errorId: string, method: string) => void;

export type ConnectOptions<S extends Table, C extends Table> = {
  readonly channel: Channel;
  /** Runs a task in a later turn of the event loop: `setImmediate`. */
  readonly defer: (task: () => void) => void;
  /** What the peer may call here. */
  readonly serve: { readonly table: S; readonly handlers: Handlers<S, Connection<C>> };
  /** What may be called at the peer. */
  readonly call: { readonly table: C };
  readonly onBug: OnBug;
  /** Called exactly once. By then every call that waited is rejected; after `ended` one still has to `close`. */
  readonly onClose?: (end: ConnectionEnd, connection: Connection<C>) => void;
  /** The peer has caught up, after so many droppable notifications were dropped. */
  readonly onLagged?: (dropped: number, connection: Connection<C>) => void;
  readonly name?: string;
  /** One for all connections of a server; else this connection has its own. */
  readonly lanes?: Lanes;
  readonly maxInFlight?: number;
  /** Asked at a request's arrival; what it returns is the answer: not initialized, an observer, shutting down. */
  readonly refuse?: (method: keyof S & string) => ProtocolError | undefined;
  /** The peer is this program in the same version: its notifications and results are not checked again. */
  readonly trustPeer?: boolean;
  /** For tests and development: checks results, calls and notifications of this side too; what does not fit is a bug. */
  readonly checkOutgoing?: boolean;
  readonly newErrorId?: () => string;
};

export type Connection<C extends Table> = ConnectionHandle &
  Caller<C> & {
    readonly backlog: () => Backlog;
    /** Resolves when no request of the peer waits for its answer; together with `close` a way to end politely. */
    readonly idle: () => Promise<void>;
    /** Resolves when nothing waits for the peer here any more. */
    readonly flushed: () => Promise<void>;
    /** Sends what waits, then ends. Pending calls are rejected and handlers aborted at once. */
    readonly close: () => Promise<void>;
    /** Ends at once; what waits is lost. */
    readonly destroy: () => void;
  };

/** Starts reading; no handler and no callback runs before this returns. */
export function connect<S extends Table, C extends Table>(options: ConnectOptions<S, C>): Connection<C> {
  return new LiveConnection(options);
}

/** Eight base-36 digits: enough to find a line in a log. */
function randomErrorId(): string {
  const id = Math.floor(Math.random() * 36 ** 8).toString(36);
  return id.padStart(8, "0");
}

class LiveConnection<S extends Table, C extends Table> implements Connection<C> {
  readonly name: string;
  readonly #options: ConnectOptions<S, C>;
  readonly #closing = new AbortController();
  readonly #admission: Admission;
  readonly #serving: Serving<S, Connection<C>>;
  readonly #rpc: ReturnType<typeof createRpc>;
  readonly #calls: Calls<C>;
  readonly #inbox: Inbox<Verdict | { readonly type: "end" }>;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: ConnectOptions<S, C>) {
    const { trustPeer = false, checkOutgoing = false } = options;
    this.#options = options;
    this.name = options.name ?? "connection";
    this.#admission = new Admission(options.maxInFlight ?? defaultMaxInFlight);
    this.#serving = new Serving<S, Connection<C>>({
      ...options.serve,
      connection: this,
      lanes: options.lanes ?? new Lanes(),
      refuse: options.refuse,
      trustPeer,
      checkOutgoing,
      reportBug: this.#reportBug,
    });
    this.#rpc = createRpc({
      send: (message) => this.#send(message),
      cancelAtPeer: (requestId) => this.#post("$/cancel_request", { requestId }),
      request: (method, params, request) => this.#serving.request(method, params, request),
      notification: (method, params) => this.#serving.notification(method, params),
    });
    this.#calls = new Calls<C>(this.#rpc.connection, { table: options.call.table, trustPeer, checkOutgoing });
    this.#inbox = new Inbox((item) => this.#dispatch(item), options.defer);
    this.#listen(options.channel);
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  readonly call: Caller<C>["call"] = (method, params, callOptions) => this.#calls.call(method, params, callOptions);

  readonly notify: Caller<C>["notify"] = (method, params, notifyOptions) => {
    if (this.#options.checkOutgoing) {
      const checked = notificationRow(this.#options.call.table, method)?.params.safeParse(params);
      if (!checked?.success) {
        const why = checked === undefined ? "it is not in the table" : describeIssues(issuesOf(checked.error));
        this.#reportBug(new TypeError(`The notification ${method} was not sent: ${why}`), method);
        return;
      }
    }
    // The connection never looks at the params itself: what `merge` gets is what this method's callers gave.
    this.#post(method, params, notifyOptions as NotifyOptions | undefined);
  };

  readonly backlog = (): Backlog => this.#options.channel.backlog();

  readonly idle = (): Promise<void> => {
    if (this.#admission.inFlight === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  };

  readonly flushed = (): Promise<void> => this.#options.channel.flushed();

  readonly close = async (): Promise<void> => {
    this.#end({ reason: "closed" });
    this.#serving.stop();
    await this.#options.channel.end();
    this.destroy();
  };

  readonly destroy = (): void => {
    this.#end({ reason: "closed" });
    this.#serving.stop();
    this.#rpc.connection.dispose();
    this.#options.channel.destroy();
  };

  #listen(channel: Channel): void {
    channel.start({
      message: (value) => this.#inbox.put(this.#admission.inspect(value)),
      unreadable: (error) => this.#inbox.put({ type: "refuse", id: null, error }),
      ended: () => this.#inbox.put({ type: "end" }),
      failed: (error) => {
        this.#end({ reason: "failed", error });
        this.destroy();
      },
      lagged: (dropped) => this.#guard("onLagged", () => this.#options.onLagged?.(dropped, this)),
    });
  }

  #dispatch(item: Verdict | { readonly type: "end" }): "go on" | "pause" {
    if (this.closed.aborted) return "go on";
    switch (item.type) {
      case "request":
      case "notification":
        this.#rpc.feed(item.message);
        return "go on";
      case "answer":
        this.#rpc.feed(item.message);
        return "pause";
      case "cancel":
        this.#rpc.cancel(item.requestId);
        return "go on";
      case "refuse":
        this.#options.channel.send({ jsonrpc: "2.0", id: item.id, error: item.error.toWire() });
        return "go on";
      case "complaint":
        this.#reportBug(item.error, "(an error without a request)");
        return "go on";
      case "ignore":
        return "go on";
      case "end":
        this.#end({ reason: "ended" });
        return "go on";
    }
  }

  #end(end: ConnectionEnd): void {
    if (this.closed.aborted) return;
    this.#closing.abort(end.error);
    this.#calls.close();
    this.#guard("onClose", () => this.#options.onClose?.(end, this));
  }

  #post(method: string, params: unknown, options?: NotifyOptions): void {
    try {
      this.#options.channel.send({ jsonrpc: "2.0", method, params }, options);
    } catch (error) {
      this.#reportBug(error, method);
    }
  }

  /** Sends a request or an answer of vscode-jsonrpc. Every answer comes by here, even when nobody can read it any more. */
  #send(message: Message): void {
    if (!("id" in message) || "method" in message) {
      this.#options.channel.send(message);
      return;
    }
    const id = message.id as RequestId;
    this.#admission.answered(id);
    try {
      this.#options.channel.send(message);
    } catch (error) {
      const errorId = this.#reportBug(error, "(an answer)");
      const answer = protocolError("internal", `The answer cannot be written as JSON; see ${errorId} in the log.`, {
        errorId,
      });
      this.#options.channel.send({ jsonrpc: "2.0", id, error: answer.toWire() });
    }
    this.#serving.answered(String(id));
    if (this.#admission.inFlight > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  readonly #reportBug = (error: unknown, method: string): string => {
    const errorId = (this.#options.newErrorId ?? randomErrorId)();
    try {
      this.#options.onBug(error, errorId, method);
    } catch {
      // Whoever should hear of the bug has one too; the connection goes on all the same.
    }
    return errorId;
  };

  #guard(name: string, task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#reportBug(error, name);
    }
  }
}
