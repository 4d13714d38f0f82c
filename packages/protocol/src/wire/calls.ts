// Calls at the peer: each is settled exactly once, at the latest when the connection ends.
import {
  CancellationToken,
  ErrorCodes,
  type MessageConnection,
  ParameterStructures,
  ResponseError,
} from "vscode-jsonrpc";
import type { CallOptions, CallParams, RequestName, Result, Table } from "../methods/table.ts";
import { requestRow } from "../methods/table.ts";
import { closedError, errorFromWire, ProtocolError, protocolError } from "../vocabulary/errors.ts";
import { describeIssues, issuesOf } from "./schema-issues.ts";

export class Calls<C extends Table> {
  readonly #connection: MessageConnection;
  readonly #table: C;
  readonly #trustPeer: boolean;
  readonly #pending = new Set<(error: ProtocolError) => void>();
  #isClosed = false;

  /** `trustPeer`: results of the peer fit their schema and are not checked. */
  constructor(connection: MessageConnection, { table, trustPeer }: { table: C; trustPeer: boolean }) {
    this.#connection = connection;
    this.#table = table;
    this.#trustPeer = trustPeer;
  }

  readonly call = <M extends RequestName<C>>(
    method: M,
    params: CallParams<C, M>,
    { signal }: CallOptions = {},
  ): Promise<Result<C, M>> => {
    if (this.#isClosed) return Promise.reject(closedError());
    if (signal?.aborted) {
      return Promise.reject(protocolError("cancelled", "The request was cancelled before it was sent."));
    }
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      this.#connection
        .sendRequest<unknown>(
          method,
          ParameterStructures.byName,
          params,
          signal ? tokenOf(signal) : CancellationToken.None,
        )
        .then((result) => this.#checked(method, result))
        .then(resolve, (error: unknown) => reject(asProtocolError(error, method)))
        .finally(() => this.#pending.delete(reject));
    });
  };

  /** Rejects what waits for an answer, and every later call. */
  close(): void {
    this.#isClosed = true;
    for (const reject of this.#pending) reject(closedError());
    this.#pending.clear();
  }

  #checked<M extends RequestName<C>>(method: M, result: unknown): Result<C, M> {
    const row = requestRow(this.#table, method);
    if (row === undefined || this.#trustPeer) return result as Result<C, M>;
    const checked = row.result.safeParse(result);
    if (checked.success) return checked.data as Result<C, M>;
    const issues = issuesOf(checked.error);
    const text = `The answer of the other side to ${method} does not fit: ${describeIssues(issues)}`;
    throw protocolError("invalid_result", text, { method, issues });
  }
}

/** vscode-jsonrpc disposes of the listener when the call is settled. */
function tokenOf(signal: AbortSignal): CancellationToken {
  return {
    isCancellationRequested: signal.aborted,
    onCancellationRequested: (listener) => {
      const abort = () => listener(undefined);
      signal.addEventListener("abort", abort, { once: true });
      return { dispose: () => signal.removeEventListener("abort", abort) };
    },
  };
}

function asProtocolError(error: unknown, method: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof ResponseError)) return closedError();
  if (error.code !== ErrorCodes.MessageWriteError) return errorFromWire(error);
  const issues = [{ path: "", message: error.message }];
  const text = `The params of ${method} cannot be written as JSON: ${error.message}`;
  return protocolError("invalid_params", text, { issues });
}
