// Checks messages of a peer before vscode-jsonrpc gets them, which would leave many of them without a response.
import type { Message, NotificationMessage, RequestMessage, ResponseMessage } from "vscode-jsonrpc";
import { errorFromWire, type ProtocolError, protocolError } from "../vocabulary/errors.ts";

export type RequestId = number | string;

export type IncomingMessage =
  | { readonly type: "request"; readonly message: RequestMessage & { id: RequestId } }
  | { readonly type: "notification"; readonly message: NotificationMessage }
  | { readonly type: "answer"; readonly message: ResponseMessage }
  | { readonly type: "refused"; readonly id: RequestId | null; readonly error: ProtocolError }
  /** The peer reports an error that belongs to no request, such as a line of ours that it could not read. */
  | { readonly type: "complaint"; readonly error: ProtocolError }
  | { readonly type: "ignored" };

/** Reads any JSON value as a message that vscode-jsonrpc handles correctly, or as one that must not reach it. */
export function readMessage(value: unknown): IncomingMessage {
  if (Array.isArray(value)) return refusal(null, "batch", "Batches are not supported: send one JSON object per line.");
  if (!isObject(value)) return refusal(null, "malformed", "A message is a JSON object.");
  const id = isId(value.id) ? value.id : null;
  if (value.jsonrpc !== undefined && value.jsonrpc !== "2.0") {
    return refusal(id, "malformed", `The member "jsonrpc" is "2.0" in every message.`);
  }
  if (value.method === undefined) return readAnswer(value, id);
  if (typeof value.method !== "string") return refusal(id, "malformed", `The member "method" is a string.`);
  if (value.id !== undefined && id === null) {
    return refusal(null, "malformed", `The member "id" is a string, or a number of at most 2^53 - 1.`);
  }
  // Without params vscode-jsonrpc would call a handler with its cancellation token in their place.
  const params = value.params ?? {};
  if (typeof params !== "object") return refusal(id, "malformed", `The member "params" is a JSON object.`);
  if (id === null) return readNotification(value.method, params);
  return { type: "request", message: { ...version, id, method: value.method, params } };
}

const version = { jsonrpc: "2.0" } satisfies Message;

/** The only known notification of the protocol itself is a cancel, under either of its names. */
function readNotification(method: string, params: object): IncomingMessage {
  if (!method.startsWith("$/")) return { type: "notification", message: { ...version, method, params } };
  const id = cancelledId(method, params);
  if (!isId(id)) return { type: "ignored" };
  return { type: "notification", message: { ...version, method: "$/cancelRequest", params: { id } } };
}

/** `$/cancel_request {requestId}` is ours and ACP's, `$/cancelRequest {id}` the language servers'. */
function cancelledId(method: string, params: object): unknown {
  if (method === "$/cancel_request" && "requestId" in params) return params.requestId;
  if (method === "$/cancelRequest" && "id" in params) return params.id;
  return undefined;
}

function readAnswer(value: Record<string, unknown>, id: RequestId | null): IncomingMessage {
  if (value.result === undefined && value.error === undefined) {
    return refusal(id, "malformed", "A message has a method, or a result, or an error.");
  }
  const sent = isObject(value.error) ? value.error : undefined;
  const code = typeof sent?.code === "number" ? sent.code : -32603;
  const text = typeof sent?.message === "string" ? sent.message : "The other side reported an error without a message.";
  const error = { code, message: text, data: sent?.data as ResponseMessage["result"] };
  if (id === null) return { type: "complaint", error: errorFromWire(error) };
  const isResult = sent === undefined && value.result !== undefined;
  const outcome = isResult ? { result: value.result as ResponseMessage["result"] } : { error };
  return { type: "answer", message: { ...version, id, ...outcome } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isId(value: unknown): value is RequestId {
  if (typeof value !== "number") return typeof value === "string";
  // 1e999 is parsed as Infinity and 2^53 + 1 as 2^53: no response could carry the id that was sent.
  return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function refusal(id: RequestId | null, reason: "batch" | "malformed", message: string): IncomingMessage {
  return { type: "refused", id, error: protocolError("invalid_request", message, { reason }) };
}
