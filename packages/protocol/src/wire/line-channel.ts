// Messages as lines: one JSON object in UTF-8, then LF (https://jsonlines.org with JSON-RPC 2.0 objects).

import { protocolError } from "../vocabulary/errors.ts";
import type { ByteStream } from "./byte-stream.ts";
import type { Channel, ChannelEvents } from "./channel.ts";
import { LineSplitter } from "./line-splitter.ts";
import { JoinedText, PART_METHOD } from "./message-parts.ts";
import { WriteQueue, type WriteQueueLimits } from "./write-queue.ts";

export type LineLimits = WriteQueueLimits & {
  /** Longest accepted line, without its LF. */
  readonly maxMessageBytes: number;
  /** Longest accepted message in parts, in UTF-16 units of its JSON text. */
  readonly maxJoinedLength: number;
};

export const defaultLimits: LineLimits = {
  maxMessageBytes: 32 * 1024 * 1024,
  maxJoinedLength: 32 * 1024 * 1024,
  maxQueuedBytes: 8 * 1024 * 1024,
  maxQueuedMessages: 10_000,
};

/** A channel over a byte stream. */
export function lineChannel(stream: ByteStream, limits: Partial<LineLimits> = {}): Channel {
  const { maxMessageBytes, maxJoinedLength, ...queueLimits } = { ...defaultLimits, ...limits };
  let events: ChannelEvents | undefined;
  let isOver = false;
  const queue = new WriteQueue({ write: stream.write, lagged: (dropped) => events?.lagged(dropped) }, queueLimits);

  return {
    isLinked: false,
    start: (listeners) => {
      events = listeners;
      const splitter = new LineSplitter(lineEvents(listeners, maxMessageBytes, maxJoinedLength), maxMessageBytes);
      stream.start({
        data: (bytes) => splitter.push(bytes),
        end: () => {
          splitter.end();
          listeners.ended();
        },
        error: (error) => {
          queue.stop();
          if (!isOver) listeners.failed(error);
        },
      });
    },
    send: (message, options) => {
      if (!isOver) queue.push(message, options);
    },
    ready: (most) => queue.ready(most),
    end: async () => {
      isOver = true;
      await queue.flushed();
      await stream.end();
    },
    destroy: () => {
      isOver = true;
      queue.stop();
      stream.destroy();
    },
  };
}

function lineEvents(events: ChannelEvents, maxMessageBytes: number, maxJoinedLength: number) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const joiner = new JoinedText(maxJoinedLength);
  const take = (text: string): void => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (text.trim() === "") return;
      events.unreadable(protocolError("parse", "The line is not valid JSON: send one JSON object per line."));
      return;
    }
    const { method, params } = Object(value);
    if (method !== PART_METHOD) {
      events.message(value);
      return;
    }
    const joined = joiner.take(params);
    if (joined && "error" in joined) events.unreadable(joined.error);
    else if (joined) take(joined.text);
  };
  const line = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      events.unreadable(protocolError("parse", "The line is not valid UTF-8."));
      return;
    }
    take(text);
  };
  const oversize = (): void => {
    const message = `The line is longer than ${maxMessageBytes} bytes; it was skipped.`;
    events.unreadable(protocolError("invalid_request", message, { reason: "too_large", maxBytes: maxMessageBytes }));
  };
  return { line, oversize };
}
