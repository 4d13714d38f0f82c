import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { Failure } from "@harness/protocol";

/** An error of the server as one of the protocol: code, sentence and kind stay. */
export function requestFailure(error: unknown): unknown {
  if (!isFromServer(error)) return error;
  return new RequestError(error.code, error.message, error.data);
}

/** By its name: importing the class would load all schemas of the server before `initialize` is answered. */
function isFromServer(error: unknown): error is Error & { code: number; data: unknown } {
  return error instanceof Error && error.name === "ProtocolError" && "code" in error && typeof error.code === "number";
}

/** Why a turn failed, as the answer to its prompt. */
export function turnFailure({ kind, message }: Failure): RequestError {
  if (kind === "auth" || kind === "config") return authRequired(message);
  return new RequestError(-32603, message, { kind });
}

/** A client then offers the ways to log in. */
export function authRequired(message: string): RequestError {
  return new RequestError(-32000, message, { kind: "auth_required" });
}

export function invalidParams(message: string): RequestError {
  return new RequestError(-32602, message, { kind: "invalid_params" });
}

export function sessionNotFound(sessionId: string): RequestError {
  return new RequestError(-32002, `There is no open session ${sessionId}. Load or resume it first.`, {
    kind: "not_found",
    what: "session",
    id: sessionId,
  });
}
