// Runs the handlers of a table: checks what came, keeps the lanes, and turns whatever a handler does into an answer.
import { ResponseError } from "vscode-jsonrpc";
import type { ConnectionHandle, HandlerContext, Handlers, RequestRow, Table } from "../methods/table.ts";
import { notificationRow, requestRow } from "../methods/table.ts";
import { closedError, ProtocolError, protocolError } from "../vocabulary/errors.ts";
import type { Lanes, LeaveLane } from "./lanes.ts";
import type { ServedRequest } from "./rpc.ts";
import { describeIssues, issuesOf } from "./schema-issues.ts";

export type ServingOptions<S extends Table, C extends ConnectionHandle> = {
  readonly table: S;
  readonly handlers: Handlers<S, C>;
  readonly connection: C;
  readonly lanes: Lanes;
  /** Called when a request arrives, before its params are looked at; what it returns is the answer. */
  readonly refuse: ((method: keyof S & string) => ProtocolError | undefined) | undefined;
  /** Notifications of the peer fit their schema: do not check them. */
  readonly trustPeer: boolean;
  readonly checkOutgoing: boolean;
  readonly reportBug: (error: unknown, method: string) => string;
};

type AnyHandler = (params: unknown, context: HandlerContext<ConnectionHandle>) => unknown;

export class Serving<S extends Table, C extends ConnectionHandle> {
  readonly #options: ServingOptions<S, C>;
  readonly #running = new Map<string, ServedRequest>();
  #isOver = false;

  constructor(options: ServingOptions<S, C>) {
    this.#options = options;
  }

  /** Resolves with the result; rejects with a ResponseError and with nothing else. */
  async request(method: string, params: object, request: ServedRequest): Promise<object> {
    this.#running.set(String(request.id), request);
    if (this.#isOver) request.abort(closedError());
    try {
      return await this.#run(method, params, request);
    } catch (error) {
      const { code, message, data } = this.#asProtocolError(error, method, request.signal);
      throw new ResponseError(code, message, data);
    }
  }

  /** The answer to the request is in the outgoing queue. */
  answered(id: string): void {
    const request = this.#running.get(id);
    if (request === undefined) return;
    this.#running.delete(id);
    request.isAnswered = true;
    for (const task of request.afterReply) this.#guard(task, "afterReply");
    request.leaveLane?.();
  }

  notification(method: string, params: object): void {
    const row = notificationRow(this.#options.table, method);
    if (row === undefined) return;
    let checked: unknown = params;
    if (!this.#options.trustPeer) {
      const parsed = row.params.safeParse(params);
      if (!parsed.success) {
        const issues = issuesOf(parsed.error);
        const text = `The notification ${method} of the other side does not fit: ${describeIssues(issues)}`;
        this.#options.reportBug(protocolError("invalid_params", text, { issues }), method);
        return;
      }
      checked = parsed.data;
    }
    const { connection } = this.#options;
    const afterReply = (task: () => void) => void Promise.resolve().then(() => this.#guard(task, method));
    const context = { signal: connection.closed, connection, afterReply };
    this.#guard(() => this.#handler(method)(checked, context), method);
  }

  /** Nobody will read the answers: whoever still works on one is told, and nobody begins. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const request of this.#running.values()) request.abort(closedError());
  }

  async #run(method: string, params: object, request: ServedRequest): Promise<object> {
    const { table, connection } = this.#options;
    const row = requestRow(table, method);
    if (row === undefined) throw protocolError("method_not_found", `There is no method ${method}.`, { method });
    const refusal = this.#options.refuse?.(method);
    if (refusal !== undefined) throw refusal;
    const parsed = row.params.safeParse(params);
    if (!parsed.success) {
      const issues = issuesOf(parsed.error);
      throw protocolError("invalid_params", `The params of ${method} do not fit: ${describeIssues(issues)}`, {
        issues,
      });
    }
    // Without a queue the handler starts before the next message is looked at: what comes behind initialize finds it done.
    const entered = this.#enterLane(row, parsed.data, request.signal);
    request.leaveLane = entered instanceof Promise ? await entered : entered;
    // Cancelled before it began. A handler that only listens for the abort would never hear of it.
    request.signal.throwIfAborted();
    const afterReply = (task: () => void) => {
      if (request.isAnswered) this.#guard(task, method);
      else request.afterReply.push(task);
    };
    const context = { signal: request.signal, connection, afterReply };
    const result = (await this.#handler(method)(parsed.data, context)) ?? {};
    if (this.#options.checkOutgoing) checkResult(row, result, method);
    return result;
  }

  #enterLane(row: RequestRow, params: unknown, signal: AbortSignal): LeaveLane | Promise<LeaveLane> | undefined {
    if (row.lane === "free") return undefined;
    if (row.lane === "global") return this.#options.lanes.enter("global", signal);
    const isKeyed = typeof params === "object" && params !== null && "sessionId" in params;
    return isKeyed ? this.#options.lanes.enter(`session ${String(params.sessionId)}`, signal) : undefined;
  }

  #handler(method: keyof S): AnyHandler {
    // Which handler belongs to which row is checked where the handlers are given: Handlers<S, C>.
    return this.#options.handlers[method] as unknown as AnyHandler;
  }

  #guard(task: () => unknown, method: string): void {
    try {
      const returned = task();
      // Not awaited, but an async handler that fails must not take the process down.
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
    const errorId = this.#options.reportBug(error, method);
    return protocolError("internal", `${method} failed because of a bug; the log has the details under ${errorId}.`, {
      errorId,
    });
  }
}

function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

function checkResult(row: RequestRow, result: unknown, method: string): void {
  const checked = row.result.safeParse(result);
  if (checked.success) return;
  throw new TypeError(`The result of ${method} does not fit its row: ${describeIssues(issuesOf(checked.error))}`);
}
