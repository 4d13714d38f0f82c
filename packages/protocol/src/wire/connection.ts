// A connection: serves one table to the peer and calls the peer's, over any channel.
import { Message } from "vscode-jsonrpc";
import type { Caller, Handlers, Table } from "../methods/table.ts";
import { type ProtocolError, protocolError } from "../vocabulary/errors.ts";
import { createCaller } from "./caller.ts";
import type { Channel } from "./channel.ts";
import { type RequestId, readMessage } from "./incoming.ts";
import { createJsonRpc, type JsonRpc } from "./json-rpc.ts";
import { MethodServer } from "./method-server.ts";
import { RequestQueue } from "./request-queue.ts";

/**
 * `ended`: the peer sends no more, but may still read: handlers continue and their responses are sent (a script may
 * close its end after its last request) until this side calls `close`. `failed`: nothing more can be sent. `closed`:
 * this side closed it.
 */
export type ConnectionEnd = { readonly reason: "ended" | "failed" | "closed"; readonly error?: Error };

export type ConnectOptions<S extends Table, C extends Table> = {
  readonly channel: Channel;
  /** Runs a task in a later turn of the event loop: `setImmediate`. */
  readonly defer: (task: () => void) => void;
  /** The methods that the peer may call here. */
  readonly serve: { readonly table: S; readonly handlers: Handlers<S> };
  /** The methods that may be called on the peer. */
  readonly call: { readonly table: C };
  /** Called with every failure that is a bug. The peer gets only the `errorId`. */
  readonly onBug: (error: unknown, errorId: string, method: string) => void;
  /** Called exactly once. By then every pending call is rejected; after `ended` the caller still has to `close`. */
  readonly onClose?: (end: ConnectionEnd, connection: Connection<C>) => void;
  /** The peer has caught up, after this many droppable notifications were dropped. */
  readonly onLagged?: (dropped: number, connection: Connection<C>) => void;
  /** Shared by all connections of a server; by default this connection has its own. */
  readonly queue?: RequestQueue;
  /** Called for each request; an error that it returns is the response: not initialized, an observer, shutting down. */
  readonly refuse?: (method: keyof S & string, params: unknown) => ProtocolError | undefined;
  /**
   * The response to a handler's error that is not a bug, such as a refusal of the system; undefined for any other
   * error.
   */
  readonly refusalOf?: (error: unknown, method: string) => ProtocolError | undefined;
  /** The peer is this program in the same version: its notifications and results are not checked again. */
  readonly trustPeer?: boolean;
};

export type Connection<C extends Table> = Caller<C> & {
  /**
   * Resolves when the peer has taken what is queued; undefined if fewer characters than `most`, or than its limit,
   * wait.
   */
  readonly ready: (most?: number) => Promise<void> | undefined;
  /** Resolves when no request of the peer waits for its response; together with `close` a way to end politely. */
  readonly idle: () => Promise<void>;
  /** Sends queued messages, then ends. Pending calls are rejected and handlers aborted at once. */
  readonly close: () => Promise<void>;
  /** Ends at once; queued messages are lost. */
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
  readonly call: Caller<C>["call"];
  readonly ready: (most?: number) => Promise<void> | undefined;
  readonly idle: () => Promise<void>;
  readonly #options: ConnectOptions<S, C>;
  readonly #server: MethodServer<S>;
  readonly #caller: ReturnType<typeof createCaller<C>>;
  readonly #rpc: JsonRpc;
  /** Messages that wait for a turn of the event loop. */
  #held: Array<Message | "end"> | undefined;
  #isOver = false;

  constructor(options: ConnectOptions<S, C>) {
    const { channel, serve, call, refuse, refusalOf, queue = new RequestQueue(), trustPeer = false } = options;
    this.#options = options;
    const server = new MethodServer<S>({ ...serve, queue, refuse, refusalOf, trustPeer, reportBug: this.#reportBug });
    this.#server = server;
    this.#rpc = createJsonRpc({
      send: (message) => this.#send(message),
      cancelAtPeer: (requestId) => channel.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } }),
      served: (id) => server.served(id),
      notification: (method, params) => server.notification(method, params),
    });
    this.#caller = createCaller<C>(this.#rpc.connection, { ...call, trustPeer });
    this.call = this.#caller.call;
    this.ready = (most) => channel.ready(most);
    this.idle = () => server.idle();
    this.#rpc.connection.onRequest((method, params, token) => server.request(method, params, token));
    this.#rpc.connection.listen();
    this.#listen();
  }

  readonly notify: Caller<C>["notify"] = (method, params, { droppable = false } = {}) => {
    try {
      this.#options.channel.send({ jsonrpc: "2.0", method, params }, { droppable });
    } catch (error) {
      this.#reportBug(error, method);
    }
  };

  readonly close = async (): Promise<void> => {
    this.#end({ reason: "closed" });
    this.#server.stop();
    await this.#options.channel.end();
    this.destroy();
  };

  readonly destroy = (): void => {
    this.#end({ reason: "closed" });
    this.#server.stop();
    this.#rpc.connection.dispose();
    this.#options.channel.destroy();
  };

  #listen(): void {
    const { channel, onLagged } = this.#options;
    channel.start({
      message: (value) => this.#read(value),
      unreadable: (error) => this.#refuse(null, error),
      ended: () => this.#take("end"),
      failed: (error) => {
        this.#end({ reason: "failed", error });
        this.destroy();
      },
      lagged: (dropped) => this.#guard("onLagged", () => onLagged?.(dropped, this)),
    });
  }

  #read(value: unknown): void {
    if (this.#isOver) return;
    const incoming = readMessage(value);
    switch (incoming.type) {
      case "request": {
        const { id } = incoming.message;
        const refusal = this.#server.admit(id);
        if (refusal) this.#refuse(id, refusal);
        else this.#take(incoming.message);
        break;
      }
      case "notification":
      case "answer":
        this.#take(incoming.message);
        break;
      case "refused":
        this.#refuse(incoming.id, incoming.error);
        break;
      case "complaint":
        this.#reportBug(incoming.error, "(an error without a request)");
        break;
      case "ignored":
        break;
    }
  }

  /**
   * Passes messages on in order, those of another process only after a turn of the event loop, so that a handler never
   * relies on something that was looked up before its request arrived.
   */
  #take(item: Message | "end"): void {
    const isFar = !this.#options.channel.isLinked;
    if (isFar && !this.#held && item !== "end" && Message.isRequest(item)) this.#hold([item]);
    else this.#pass(item);
  }

  #pass(item: Message | "end"): void {
    if (this.#held) this.#held.push(item);
    else this.#hand(item);
  }

  /**
   * A turn of the event loop also passes after a response: the code that awaits it runs before the next message, so
   * that an update right after the response to session/new finds it handled.
   */
  #hand(item: Message | "end"): void {
    if (this.#isOver) {
      if (item !== "end" && Message.isRequest(item) && item.id !== null) this.#server.answered(item.id);
      return;
    }
    if (item === "end") this.#end({ reason: "ended" });
    else this.#rpc.feed(item);
    if (item !== "end" && Message.isResponse(item)) this.#hold([]);
  }

  #hold(items: Array<Message | "end">): void {
    this.#held = items;
    this.#options.defer(() => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const each of held) this.#pass(each);
    });
  }

  #refuse(id: RequestId | null, error: ProtocolError): void {
    this.#options.channel.send({ jsonrpc: "2.0", id, error: error.toWire() });
  }

  #end(end: ConnectionEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#caller.close();
    this.#guard("onClose", () => this.#options.onClose?.(end, this));
  }

  /**
   * Sends a request or a response of vscode-jsonrpc. Every response passes here, even if the peer can no longer read
   * it.
   */
  #send(message: Message): void {
    const { channel } = this.#options;
    if (!Message.isResponse(message) || message.id === null) {
      channel.send(message);
      return;
    }
    try {
      channel.send(message);
    } catch (error) {
      const errorId = this.#reportBug(error, "(an answer)");
      const text = `The answer cannot be written as JSON; see ${errorId} in the log.`;
      this.#refuse(message.id, protocolError("internal", text, { errorId }));
    }
    this.#server.answered(message.id);
  }

  readonly #reportBug = (error: unknown, method: string): string => {
    const errorId = randomErrorId();
    try {
      this.#options.onBug(error, errorId, method);
    } catch {
      // The listener has a bug of its own; the connection continues.
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
