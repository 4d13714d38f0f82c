// Rows of a method table, and the types derived from a table: handlers, calls, params and results.
import type { z } from "zod";

/**
 * A request waits for earlier ones of its lane: requests with the same `params.sessionId`, all `global` ones, or none.
 */
export type Lane = "session" | "global" | "free";

export type RequestRow<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> = {
  readonly type: "request";
  /** One or two sentences for people; printed into docs/protocol.md. */
  readonly doc: string;
  readonly lane: Lane;
  /** True if sending it twice has the effect of sending it once, so that a client may repeat it after a reconnect. */
  readonly idempotent: boolean;
  /** `control` changes something: a client that is only an observer may not call it. */
  readonly access: "read" | "control";
  /** Params with which a read method would change something: an observer may not use them. */
  readonly control?: readonly (keyof z.input<P> & string)[];
  readonly params: P;
  /** Travels as the handler returned it: no defaults, no transforms. */
  readonly result: R;
};

export type NotificationRow<P extends z.ZodType = z.ZodType> = {
  readonly type: "notification";
  readonly doc: string;
  /** May reach the handler unparsed (see `trustPeer` of `connect`): no defaults, no transforms. */
  readonly params: P;
};

/** Rows by method name (`noun/verb`). */
export type Table = { readonly [method: string]: RequestRow | NotificationRow };

export function request<P extends z.ZodType, R extends z.ZodType>(
  row: Omit<RequestRow<P, R>, "type">,
): RequestRow<P, R> {
  return { type: "request", ...row };
}

export function notification<P extends z.ZodType>(row: Omit<NotificationRow<P>, "type">): NotificationRow<P> {
  return { type: "notification", ...row };
}

/** Own rows only: "toString" and "__proto__" do not name methods. */
function ownRow(table: Table, method: string): RequestRow | NotificationRow | undefined {
  return Object.hasOwn(table, method) ? table[method] : undefined;
}

export function requestRow(table: Table, method: string): RequestRow | undefined {
  const row = ownRow(table, method);
  return row?.type === "request" ? row : undefined;
}

export function notificationRow(table: Table, method: string): NotificationRow | undefined {
  const row = ownRow(table, method);
  return row?.type === "notification" ? row : undefined;
}

export type RequestName<T extends Table> = { [M in keyof T & string]: T[M] extends RequestRow ? M : never }[keyof T &
  string];
export type NotificationName<T extends Table> = {
  [M in keyof T & string]: T[M] extends NotificationRow ? M : never;
}[keyof T & string];

/** Params as the handler receives them: validated, defaults filled in. */
export type Params<T extends Table, M extends keyof T> = z.output<T[M]["params"]>;
/** Params as the caller writes them: fields with a default may be left out. */
export type CallParams<T extends Table, M extends keyof T> = z.input<T[M]["params"]>;
/** The result as both sides see it; `never` for a notification. */
export type Result<T extends Table, M extends keyof T> =
  T[M] extends RequestRow<z.ZodType, infer R> ? z.output<R> : never;

export type HandlerContext = {
  /**
   * Aborts when the caller cancels this request or the connection closes. Respond anyway: with a result, or
   * `cancelled`.
   */
  readonly signal: AbortSignal;
  /**
   * Runs `task` right after the response, be it a result or an error, was put into the outgoing queue, so that what it
   * sends follows the response (a turn's first update follows the reply to session/prompt). Tasks run in order.
   */
  readonly afterReply: (task: () => void) => void;
  /** Lets later requests of the lane begin before this one is answered, for work that is guarded in another way. */
  readonly leaveLane: () => void;
};

/** A handler of a method whose result has no required field may return nothing: `{}` is sent. */
type Answer<R> = Record<never, never> extends R ? R | undefined : R;

type Handler<Row> =
  Row extends RequestRow<infer P, infer R>
    ? (params: z.output<P>, context: HandlerContext) => Answer<z.input<R>> | Promise<Answer<z.input<R>>>
    : Row extends NotificationRow<infer P>
      ? // Returns nothing and is not awaited: notifications are handled completely, one after another.
        (params: z.output<P>) => void
      : never;

/** One handler per row: a missing, superfluous or wrongly typed one is a compile error. */
export type Handlers<T extends Table> = { readonly [M in keyof T]: Handler<T[M]> };

export type CallOptions = {
  /** Aborting sends `$/cancel_request`; the promise still waits for the peer's answer (result or `cancelled`). */
  readonly signal?: AbortSignal;
};

export type NotifyOptions = {
  /** May be dropped if the peer reads too slowly. Facts are never droppable. */
  readonly droppable?: boolean;
};

/** The typed calls to a peer that serves `T`. */
export type Caller<T extends Table> = {
  /** Rejects with a `ProtocolError` and with nothing else. */
  call<M extends RequestName<T>>(method: M, params: CallParams<T, M>, options?: CallOptions): Promise<Result<T, M>>;
  /** Never throws and never waits; does nothing after the close. */
  notify<M extends NotificationName<T>>(method: M, params: CallParams<T, M>, options?: NotifyOptions): void;
};
