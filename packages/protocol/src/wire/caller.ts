// Calls to the peer: each is settled exactly once, at the latest when the connection ends.
import {
  CancellationToken,
  ErrorCodes,
  type MessageConnection,
  ParameterStructures,
  ResponseError,
} from "vscode-jsonrpc";
import type { Caller, RequestName, Result, Table } from "../methods/table.ts";
import { requestRow } from "../methods/table.ts";
import { closedError, errorFromWire, ProtocolError, protocolError } from "../vocabulary/errors.ts";
import { describeIssues, issuesOf } from "./schema-issues.ts";

type MethodCaller<C extends Table> = {
  readonly call: Caller<C>["call"];
  /** Rejects pending calls and every later one. */
  readonly close: () => void;
};

/** `trustPeer`: the peer's results fit their schema and are not checked. */
export function createCaller<C extends Table>(
  connection: MessageConnection,
  { table, trustPeer }: { readonly table: C; readonly trustPeer: boolean },
): MethodCaller<C> {
  const pending = new Set<(error: ProtocolError) => void>();
  let isClosed = false;

  const checked = <M extends RequestName<C>>(method: M, result: unknown): Result<C, M> => {
    const row = requestRow(table, method);
    if (row === undefined || trustPeer) return result as Result<C, M>;
    const parsed = row.result.safeParse(result);
    if (parsed.success) return parsed.data as Result<C, M>;
    const issues = issuesOf(parsed.error);
    const text = `The answer of the other side to ${method} does not fit: ${describeIssues(issues)}`;
    throw protocolError("invalid_result", text, { method, issues });
  };

  return {
    call: (method, params, { signal } = {}) => {
      if (isClosed) return Promise.reject(closedError());
      if (signal?.aborted) {
        return Promise.reject(protocolError("cancelled", "The request was cancelled before it was sent."));
      }
      const token = signal ? tokenOf(signal) : CancellationToken.None;
      return new Promise((resolve, reject) => {
        pending.add(reject);
        connection
          .sendRequest<unknown>(method, ParameterStructures.byName, params, token)
          .then((result) => checked(method, result))
          .then(resolve, (error: unknown) => reject(asProtocolError(error, method)))
          .finally(() => pending.delete(reject));
      });
    },
    close: () => {
      isClosed = true;
      for (const reject of pending) reject(closedError());
      pending.clear();
    },
  };
}

/** vscode-jsonrpc removes the listener when the call is settled. */
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
