// vscode-jsonrpc behind a reader, a writer and a cancellation of ours. It pairs requests with answers and dispatches
// one message at a time; what it gets wrong about this wire is kept from it (admission.ts) or replaced here.
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type CancellationToken,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  Event,
  type Message,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
  type NotificationMessage,
  RAL,
} from "vscode-jsonrpc";
import { protocolError } from "../vocabulary/errors.ts";
import type { IncomingAnswer, IncomingNotification, IncomingRequest, RequestId } from "./admission.ts";
import type { LeaveLane } from "./lanes.ts";

const nothing: Disposable = { dispose: () => undefined };

/**
 * The part of the runtime that vscode-jsonrpc uses for a connection over a foreign reader and writer. Its own one for
 * Node would tie this package to Node and handle a single message in each turn of the event loop. Not a supported
 * interface: the version is pinned, and every test of the connection runs on it.
 */
function installRuntime(): void {
  const unused = (): never => {
    throw new Error("This part of vscode-jsonrpc is not used.");
  };
  const soon = (task: (...values: unknown[]) => void, ...values: unknown[]): Disposable => {
    void Promise.resolve().then(() => task(...values));
    return nothing;
  };
  RAL.install({
    crypto: { randomUUID: unused },
    applicationJson: {
      encoder: { name: "application/json", encode: unused },
      decoder: { name: "application/json", decode: unused },
    },
    messageBuffer: { create: unused },
    console: { info: unused, log: unused, warn: unused, error: unused },
    timer: { setTimeout: unused, setImmediate: soon, setInterval: unused },
  });
}
installRuntime();

class FedReader extends AbstractMessageReader implements MessageReader {
  #receive: DataCallback | undefined;

  listen(callback: DataCallback): Disposable {
    this.#receive = callback;
    return nothing;
  }

  feed(message: Message): void {
    this.#receive?.(message);
  }
}

class SendingWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #send: (message: Message) => void;
  readonly #sent = Promise.resolve();

  constructor(send: (message: Message) => void) {
    super();
    this.#send = send;
  }

  write(message: Message): Promise<void> {
    try {
      this.#send(message);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#sent;
  }

  end(): void {
    // The connection ends its channel itself.
  }
}

/**
 * A request of the peer while it is served. Stands in for the cancellation token of vscode-jsonrpc, which does not tell
 * a listener of a cancel that came in the same chunk as its request; an AbortSignal can be asked as well.
 */
export class ServedRequest implements CancellationToken {
  readonly id: RequestId;
  readonly #controller = new AbortController();
  readonly onCancellationRequested = Event.None;
  /** Due once the answer is in the outgoing queue; then the lane is left. */
  readonly afterReply: Array<() => void> = [];
  leaveLane: LeaveLane | undefined;
  isAnswered = false;

  constructor(id: RequestId) {
    this.id = id;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isCancellationRequested(): boolean {
    return this.signal.aborted;
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }
}

export type RpcPorts = {
  /** May throw a TypeError when the message cannot be written as JSON. */
  readonly send: (message: Message) => void;
  readonly cancelAtPeer: (id: RequestId) => void;
  readonly request: (method: string, params: object, request: ServedRequest) => Promise<object>;
  readonly notification: (method: string, params: object) => void;
};

export type Rpc = {
  readonly connection: MessageConnection;
  /** Hands over an admitted message. Messages are dispatched in the order in which they are fed. */
  readonly feed: (message: IncomingRequest | IncomingNotification | IncomingAnswer) => void;
  /** Aborts a request that was fed and has no answer yet, be it running or waiting. */
  readonly cancel: (id: RequestId) => void;
};

export function createRpc(ports: RpcPorts): Rpc {
  const reader = new FedReader();
  let undispatched = 0;
  const connection = createMessageConnection(reader, new SendingWriter(ports.send), undefined, {
    messageStrategy: {
      handleMessage: (message, dispatch) => {
        if (!isCancel(message)) undispatched--;
        return dispatch(message);
      },
    },
    cancellationStrategy: {
      receiver: {
        kind: "request",
        createCancellationTokenSource: (message) => {
          const request = new ServedRequest((message as IncomingRequest).id);
          return {
            token: request,
            cancel: () => request.abort(protocolError("cancelled", "The request was cancelled.")),
            dispose: () => undefined,
          };
        },
      },
      sender: {
        sendCancellation: async (_connection, id) => ports.cancelAtPeer(id),
        cleanup: () => undefined,
      },
    },
  });
  connection.onRequest((method, params, token) => {
    // The receiver strategy above makes every token.
    return ports.request(method, params as object, token as unknown as ServedRequest);
  });
  connection.onNotification((method, params) => ports.notification(method, params as object));
  connection.listen();
  return {
    connection,
    feed: (message) => {
      // With nothing before it a notification needs no queue; there are many of them, and the queue costs more than they do.
      if (undispatched === 0 && "method" in message && !("id" in message)) {
        ports.notification(message.method, message.params);
        return;
      }
      undispatched++;
      reader.feed(message);
    },
    cancel: (id) => reader.feed(cancelOf(id)),
  };
}

/** What vscode-jsonrpc knows for `$/cancel_request {requestId}`. It acts on it at once, ahead of what waits. */
const cancelMethod = "$/cancelRequest";

function cancelOf(id: RequestId): Message {
  const message: NotificationMessage = { jsonrpc: "2.0", method: cancelMethod, params: { id } };
  return message;
}

function isCancel(message: Message): boolean {
  return "method" in message && message.method === cancelMethod;
}
