// The port between a line channel and a runtime's streams: pipes, sockets, and stand-ins of tests.

export type ByteStreamEvents = {
  readonly data: (bytes: Uint8Array) => void;
  /** The peer sends no more. */
  readonly end: () => void;
  /** The stream is broken in both directions. */
  readonly error: (error: Error) => void;
};

export type ByteStream = {
  /** Called once; no event comes before it. */
  readonly start: (events: ByteStreamEvents) => void;
  /**
   * Sends UTF-8. A returned promise means that the peer is slow: do not write until it resolves. A failure is an
   * `error` event.
   */
  readonly write: (text: string) => Promise<void> | undefined;
  /** No more writes follow. Resolves when everything is sent, or cannot be sent; never rejects. */
  readonly end: () => Promise<void>;
  /** Drops the stream at once. */
  readonly destroy: () => void;
};

/** The part of a Node readable that is used (`process.stdin`, a child's `stdout`, a socket). */
export type ReadableLike = {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  destroy(): unknown;
};

/** The part of a Node writable that is used. */
export type WritableLike = {
  write(text: string): boolean;
  end(callback: () => void): unknown;
  on(event: "drain" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  destroy(): unknown;
};

/** A byte stream over two Node streams, which may be the same socket. */
export function byteStream(streams: { readonly readable: ReadableLike; readonly writable: WritableLike }): ByteStream {
  const { readable, writable } = streams;
  let events: ByteStreamEvents | undefined;
  let hasEnded = false;
  let isLost = false;
  // A process that exits closes its input first; its earlier output is still to be read.
  let isWritableClosed = false;
  const whenUnwritable: Array<() => void> = [];
  // One promise and one listener, however many writes wait: a listener for each would make 100,000 writes quadratic.
  let drained: PromiseWithResolvers<void> | undefined;

  const lose = (error: Error) => {
    if (isLost) return;
    isLost = true;
    for (const done of whenUnwritable) done();
    events?.error(error);
  };
  const closeWritable = () => {
    isWritableClosed = true;
    for (const done of whenUnwritable) done();
    if (drained !== undefined) lose(closedByPeer());
  };
  const endReadable = () => {
    if (!hasEnded) events?.end();
    hasEnded = true;
  };

  const start = (listeners: ByteStreamEvents): void => {
    events = listeners;
    readable.on("data", listeners.data);
    readable.on("end", endReadable);
    readable.on("close", endReadable);
    readable.on("error", lose);
    writable.on("error", lose);
    writable.on("close", closeWritable);
    writable.on("drain", () => {
      drained?.resolve();
      drained = undefined;
    });
  };

  const write = (text: string): Promise<void> | undefined => {
    if (isWritableClosed) lose(closedByPeer());
    if (isLost || writable.write(text)) return undefined;
    drained ??= Promise.withResolvers<void>();
    return drained.promise;
  };

  const end = (): Promise<void> => {
    if (isLost || isWritableClosed) return Promise.resolve();
    return new Promise((resolve) => {
      whenUnwritable.push(resolve);
      writable.end(resolve);
    });
  };

  const destroy = (): void => {
    readable.destroy();
    writable.destroy();
  };

  return { start, write, end, destroy };
}

function closedByPeer(): Error {
  return new Error("The other side has closed its end of the connection.");
}
