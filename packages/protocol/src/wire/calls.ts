// Calls at the peer: checks what they carry, and settles each of them exactly once, at the latest when the connection ends.
import {
  CancellationToken,
  CancellationTokenSource,
  ErrorCodes,
  type MessageConnection,
  ParameterStructures,
  ResponseError,
} from "vscode-jsonrpc";
import type { CallOptions, CallParams, RequestName, Result, Table } from "../methods/table.ts";
import { requestRow } from "../methods/table.ts";
import { closedError, errorFromWire, ProtocolError, protocolError } from "../vocabulary/errors.ts";
import { describeIssues, issuesOf } from "./schema-issues.ts";

export type CallsOptions<C extends Table> = {
  readonly table: C;
  /** Results of the peer fit their schema: do not check them. */
  readonly trustPeer: boolean;
  readonly checkOutgoing: boolean;
};

export class Calls<C extends Table> {
  readonly #options: CallsOptions<C>;
  readonly #connection: MessageConnection;
  readonly #pending = new Set<(error: ProtocolError) => void>();
  #isClosed = false;

  constructor(connection: MessageConnection, options: CallsOptions<C>) {
    this.#connection = connection;
    this.#options = options;
  }

  call<M extends RequestName<C>>(
    method: M,
    params: CallParams<C, M>,
    { signal }: CallOptions = {},
  ): Promise<Result<C, M>> {
    const refusal = this.#refusal(method, params, signal);
    if (refusal !== undefined) return Promise.reject(refusal);
    const source = signal === undefined ? undefined : new CancellationTokenSource();
    const cancel = () => source?.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    return new Promise((resolve, reject) => {
      const settled = () => {
        this.#pending.delete(reject);
        signal?.removeEventListener("abort", cancel);
      };
      this.#pending.add(reject);
      this.#connection
        .sendRequest<unknown>(method, ParameterStructures.byName, params, source?.token ?? CancellationToken.None)
        .then((result) => this.#checkedResult(method, result))
        .then(resolve, (error: unknown) => reject(asProtocolError(error, method)))
        .finally(settled);
    });
  }

  /** Rejects what waits for an answer, and every later call. */
  close(): void {
    this.#isClosed = true;
    for (const reject of this.#pending) reject(closedError());
    this.#pending.clear();
  }

  #refusal(method: string, params: unknown, signal: AbortSignal | undefined): ProtocolError | undefined {
    if (this.#isClosed) return closedError();
    if (signal?.aborted) return protocolError("cancelled", "The request was cancelled before it was sent.");
    const row = requestRow(this.#options.table, method);
    if (row === undefined) return protocolError("method_not_found", `There is no method ${method}.`, { method });
    if (!this.#options.checkOutgoing) return undefined;
    const checked = row.params.safeParse(params);
    if (checked.success) return undefined;
    const issues = issuesOf(checked.error);
    return protocolError("invalid_params", `The params of ${method} do not fit: ${describeIssues(issues)}`, { issues });
  }

  #checkedResult<M extends RequestName<C>>(method: M, result: unknown): Result<C, M> {
    const row = requestRow(this.#options.table, method);
    if (row === undefined || this.#options.trustPeer) return result as Result<C, M>;
    const checked = row.result.safeParse(result);
    if (checked.success) return checked.data as Result<C, M>;
    const issues = issuesOf(checked.error);
    const text = `The answer of the other side to ${method} does not fit: ${describeIssues(issues)}`;
    throw protocolError("invalid_result", text, { method, issues });
  }
}

function asProtocolError(error: unknown, method: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof ResponseError)) return closedError();
  if (error.code !== ErrorCodes.MessageWriteError) return errorFromWire(error);
  const issues = [{ path: "", message: error.message }];
  return protocolError("invalid_params", `The params of ${method} cannot be written as JSON: ${error.message}`, {
    issues,
  });
}
