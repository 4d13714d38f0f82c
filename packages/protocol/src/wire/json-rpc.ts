// vscode-jsonrpc over our own reader and writer. It pairs requests with responses, dispatches one message after another
// and tracks cancellations.
import {
  type AbstractCancellationTokenSource,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  Event,
  Message,
  type MessageConnection,
  RAL,
} from "vscode-jsonrpc";
import type { RequestId } from "./incoming.ts";

const nothing: Disposable = { dispose: () => undefined };

// The only part of its runtime that a connection over a foreign reader and writer uses. Its own runtime would tie this
// package to Node and handle a single message per turn of the event loop. The interface is not a supported one: the
// version is pinned, and every test of the connection runs on it.
RAL.install({
  timer: {
    setImmediate: (task: () => void) => {
      void Promise.resolve().then(task);
      return nothing;
    },
  },
} as Parameters<typeof RAL.install>[0]);

export type JsonRpcPorts = {
  /** May throw a TypeError if the message cannot be written as JSON. */
  readonly send: (message: Message) => void;
  readonly cancelAtPeer: (requestId: RequestId) => void;
  /** The request of the peer that a cancel aborts. */
  readonly served: (id: RequestId) => AbstractCancellationTokenSource;
  readonly notification: (method: string, params: unknown) => void;
};

export type JsonRpc = {
  readonly connection: MessageConnection;
  /** Hands over a message that was checked. Messages are dispatched in the order in which they are fed. */
  readonly feed: (message: Message) => void;
};

export function createJsonRpc({ send, cancelAtPeer, served, notification }: JsonRpcPorts): JsonRpc {
  let feed: DataCallback = () => undefined;
  const events = { onError: Event.None, onClose: Event.None, ...nothing };
  const reader = {
    ...events,
    onPartialMessage: Event.None,
    listen: (callback: DataCallback) => {
      feed = callback;
      return nothing;
    },
  };
  const writer = { ...events, write: async (message: Message) => send(message), end: () => undefined };
  let queued = 0;
  const connection = createMessageConnection(reader, writer, undefined, {
    messageStrategy: {
      handleMessage: (message, dispatch) => {
        if (!isCancel(message)) queued -= 1;
        return dispatch(message);
      },
    },
    cancellationStrategy: {
      receiver: { createCancellationTokenSource: served },
      sender: { sendCancellation: async (_connection, id) => cancelAtPeer(id), cleanup: () => undefined },
    },
  });
  connection.onNotification(notification);
  return {
    connection,
    feed: (message) => {
      // There are many notifications, and the queue costs more than handling one: it is skipped if nothing is queued.
      if (queued === 0 && Message.isNotification(message) && !isCancel(message)) {
        notification(message.method, message.params);
        return;
      }
      // A cancel acts at once and may never be queued.
      if (!isCancel(message)) queued += 1;
      feed(message);
    },
  };
}

function isCancel(message: Message): boolean {
  return Message.isNotification(message) && message.method === "$/cancelRequest";
}
