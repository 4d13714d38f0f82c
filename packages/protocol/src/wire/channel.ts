// A transport of whole JSON-RPC messages, both ways, in order.
import type { NotifyOptions } from "../methods/table.ts";
import type { ProtocolError } from "../vocabulary/errors.ts";

export type ChannelEvents = {
  /** Any JSON value, not yet checked. The receiver owns it. */
  readonly message: (value: unknown) => void;
  /** A line that is not a message (`parse`, or `invalid_request` with reason too_large); the next one is in sync. */
  readonly unreadable: (error: ProtocolError) => void;
  /** The peer sends no more. It may still read. */
  readonly ended: () => void;
  /** Nothing more can be sent. */
  readonly failed: (error: Error) => void;
  /** This many droppable messages were dropped because the peer read too slowly; it has caught up now. */
  readonly lagged: (dropped: number) => void;
};

export type Channel = {
  /** Both ends are in this process: a message arrives in the same turn of the event loop in which it is sent. */
  readonly isLinked: boolean;
  /** Called once, before anything else. No event comes before it or during it. */
  readonly start: (events: ChannelEvents) => void;
  /**
   * Takes a message as it is at this moment: a later change of the object does not reach the peer. Throws a TypeError
   * if JSON cannot express it (a cycle, a bigint), and never for another reason.
   */
  readonly send: (message: object, options?: NotifyOptions) => void;
  /**
   * Resolves when the peer has taken what is queued; undefined if it keeps up: if fewer characters than `most` wait, or
   * fewer than the limit of the queue. Large responses wait for it.
   */
  readonly ready: (most?: number) => Promise<void> | undefined;
  /** Sends queued messages, then closes this direction; resolves when all are sent, or cannot be. */
  readonly end: () => Promise<void>;
  /** Drops the transport at once. */
  readonly destroy: () => void;
};
