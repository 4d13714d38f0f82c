// Runs the handlers of a table: checks params, queues requests by lane, and turns the outcome into a response.
import { type AbstractCancellationTokenSource, type CancellationToken, Event, ResponseError } from "vscode-jsonrpc";
import type { HandlerContext, Handlers, RequestRow, Table } from "../methods/table.ts";
import { notificationRow, requestRow } from "../methods/table.ts";
import { closedError, ProtocolError, protocolError } from "../vocabulary/errors.ts";
import type { RequestId } from "./incoming.ts";
import type { LeaveLane, RequestQueue } from "./request-queue.ts";
import { describeIssues, issuesOf } from "./schema-issues.ts";

export const MAX_IN_FLIGHT = 64;

export type MethodServerOptions<S extends Table> = {
  readonly table: S;
  readonly handlers: Handlers<S>;
  readonly queue: RequestQueue;
  /** Called before a request's params are checked, with what was sent; an error that it returns is the response. */
  readonly refuse: ((method: keyof S & string, params: unknown) => ProtocolError | undefined) | undefined;
  /** The peer's notifications fit their schema and are not checked. */
  readonly trustPeer: boolean;
  /** The response to a failure that is not a bug; undefined for any other failure. */
  readonly refusalOf: ((error: unknown, method: string) => ProtocolError | undefined) | undefined;
  readonly reportBug: (error: unknown, method: string) => string;
};

type AnyHandler = (params: unknown, context?: HandlerContext) => unknown;

/**
 * A request of the peer from its arrival to its response. Replaces the cancellation token of vscode-jsonrpc, which does
 * not call a listener for a cancel that arrived in the same chunk as its request; an AbortSignal can be queried as
 * well.
 */
class ServedRequest implements CancellationToken, AbstractCancellationTokenSource {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly onCancellationRequested = Event.None;
  readonly token = this;
  /** Due once the response is in the outgoing queue; then the lane is left. */
  readonly afterReply: Array<() => void> = [];
  leaveLane: LeaveLane | undefined;
  isAnswered = false;

  get isCancellationRequested(): boolean {
    return this.signal.aborted;
  }

  cancel(): void {
    this.abort(protocolError("cancelled", "The request was cancelled."));
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  dispose(): void {
    // There is no resource to release.
  }
}

export class MethodServer<S extends Table> {
  readonly #options: MethodServerOptions<S>;
  /** Requests without a response. The ids 1 and "1" count as one: vscode-jsonrpc confuses them. */
  readonly #requests = new Map<string, ServedRequest>();
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: MethodServerOptions<S>) {
    this.#options = options;
  }

  /** Registers a request that arrived; an error that it returns is the response. */
  admit(id: RequestId): ProtocolError | undefined {
    const key = String(id);
    if (this.#requests.has(key)) {
      const text = `A request with the id ${key} is still waiting for its answer.`;
      return protocolError("invalid_request", text, { reason: "duplicate_id" });
    }
    if (this.#requests.size >= MAX_IN_FLIGHT) {
      const text = `${MAX_IN_FLIGHT} requests are already waiting for answers: send this one again when one of them is answered.`;
      return protocolError("overloaded", text, { maxInFlight: MAX_IN_FLIGHT });
    }
    this.#requests.set(key, new ServedRequest());
    return undefined;
  }

  served(id: RequestId): ServedRequest {
    return this.#requests.get(String(id)) ?? new ServedRequest();
  }

  /** Resolves with the result; rejects with a ResponseError and with nothing else. */
  async request(method: string, params: unknown, token: CancellationToken): Promise<object> {
    // `served` makes every token.
    const request = token as ServedRequest;
    try {
      return await this.#run(method, params, request);
    } catch (error) {
      const { code, message, data } = this.#asProtocolError(error, method, request.signal);
      throw new ResponseError(code, message, data);
    }
  }

  /** The response to the request is in the outgoing queue. */
  answered(id: RequestId): void {
    const request = this.served(id);
    this.#requests.delete(String(id));
    request.isAnswered = true;
    for (const task of request.afterReply) this.#guard(task, "afterReply");
    request.leaveLane?.();
    if (this.#requests.size === 0) this.#idle?.resolve();
  }

  notification(method: string, params: unknown): void {
    const row = notificationRow(this.#options.table, method);
    if (row === undefined) return;
    const parsed = this.#options.trustPeer ? undefined : row.params.safeParse(params);
    if (parsed?.error) {
      const issues = issuesOf(parsed.error);
      const text = `The notification ${method} of the other side does not fit: ${describeIssues(issues)}`;
      this.#options.reportBug(protocolError("invalid_params", text, { issues }), method);
      return;
    }
    this.#guard(() => this.#handler(method)(parsed ? parsed.data : params), method);
  }

  /** Resolves when no request waits for its response. */
  idle(): Promise<void> {
    if (this.#requests.size === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    return this.#idle.promise;
  }

  /** Aborts all requests: their responses could no longer be read. */
  stop(): void {
    for (const request of this.#requests.values()) request.abort(closedError());
  }

  async #run(method: string, params: unknown, request: ServedRequest): Promise<object> {
    const row = requestRow(this.#options.table, method);
    if (row === undefined) throw protocolError("method_not_found", `There is no method ${method}.`, { method });
    const refusal = this.#options.refuse?.(method, params);
    if (refusal !== undefined) throw refusal;
    const parsed = row.params.safeParse(params);
    if (!parsed.success) {
      const issues = issuesOf(parsed.error);
      const text = `The params of ${method} do not fit: ${describeIssues(issues)}`;
      throw protocolError("invalid_params", text, { issues });
    }
    // A free lane is entered synchronously: a request in the same chunk as initialize finds it done.
    const entered = this.#enterLane(row, parsed.data, request.signal);
    request.leaveLane = entered instanceof Promise ? await entered : entered;
    // Cancelled before it began: a handler that only listens for the abort would not notice.
    request.signal.throwIfAborted();
    const afterReply = (task: () => void) => {
      if (request.isAnswered) this.#guard(task, method);
      else request.afterReply.push(task);
    };
    const leaveLane = () => request.leaveLane?.();
    const result = await this.#handler(method)(parsed.data, { signal: request.signal, afterReply, leaveLane });
    return result ?? {};
  }

  #enterLane(row: RequestRow, params: unknown, signal: AbortSignal): LeaveLane | Promise<LeaveLane> | undefined {
    if (row.lane === "free") return undefined;
    if (row.lane === "global") return this.#options.queue.enter("global", signal);
    const isKeyed = typeof params === "object" && params !== null && "sessionId" in params;
    return isKeyed ? this.#options.queue.enter(`session ${String(params.sessionId)}`, signal) : undefined;
  }

  #handler(method: keyof S): AnyHandler {
    // The compiler checks handlers against rows where they are passed in: Handlers<S>.
    return this.#options.handlers[method] as unknown as AnyHandler;
  }

  #guard(task: () => unknown, method: string): void {
    try {
      const returned = task();
      // Not awaited, but an async handler that fails must not end the process.
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#options.reportBug(error, method));
    } catch (error) {
      this.#options.reportBug(error, method);
    }
  }

  #asProtocolError(error: unknown, method: string, signal: AbortSignal): ProtocolError {
    if (signal.aborted) {
      const isConsequence = error instanceof ProtocolError || error === signal.reason || isAbortError(error);
      if (!isConsequence) this.#options.reportBug(error, method);
      return protocolError("cancelled", "The request was cancelled.");
    }
    if (error instanceof ProtocolError) return error;
    const refusal = this.#options.refusalOf?.(error, method);
    if (refusal) return refusal;
    const errorId = this.#options.reportBug(error, method);
    const text = `${method} failed because of a bug; the log has the details under ${errorId}.`;
    return protocolError("internal", text, { errorId });
  }
}

function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
