// Inspects what a peer sent before vscode-jsonrpc sees it, which would leave much of it without an answer.
import { errorFromWire, type ProtocolError, protocolError } from "../vocabulary/errors.ts";

export type RequestId = number | string;

type Params = object;

export type IncomingRequest = {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
};
export type IncomingNotification = { readonly jsonrpc: "2.0"; readonly method: string; readonly params: Params };
export type IncomingAnswer = {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result?: unknown;
  readonly error?: { code: number; message: string; data?: unknown };
};

export type Verdict =
  | { readonly type: "request"; readonly message: IncomingRequest }
  | { readonly type: "notification"; readonly message: IncomingNotification }
  | { readonly type: "answer"; readonly message: IncomingAnswer }
  /** `requestId` is one that is in flight. */
  | { readonly type: "cancel"; readonly requestId: RequestId }
  | { readonly type: "refuse"; readonly id: RequestId | null; readonly error: ProtocolError }
  /** The peer reports an error of ours that belongs to no request, such as a line it could not read. */
  | { readonly type: "complaint"; readonly error: ProtocolError }
  | { readonly type: "ignore" };

/**
 * Judges messages in their order of arrival and keeps the ids of requests that wait for our answer. The ids 1 and "1"
 * count as one: vscode-jsonrpc confuses them.
 */
export class Admission {
  readonly #maxInFlight: number;
  readonly #inFlight = new Set<string>();

  constructor(maxInFlight: number) {
    this.#maxInFlight = maxInFlight;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  answered(id: RequestId): void {
    this.#inFlight.delete(String(id));
  }

  inspect(value: unknown): Verdict {
    if (Array.isArray(value)) return refuse(null, "batch", "Batches are not taken: send one JSON object in each line.");
    if (!isObject(value)) return malformed(null, "A message is a JSON object.");
    const id = isId(value.id) ? value.id : null;
    if (value.jsonrpc !== undefined && value.jsonrpc !== "2.0") {
      return malformed(id, `The member "jsonrpc" is "2.0" in every message.`);
    }
    if (value.method === undefined) return inspectAnswer(value, id);
    if (typeof value.method !== "string") return malformed(id, `The member "method" is a string.`);
    if (value.id !== undefined && id === null) return malformed(null, `The member "id" is a number or a string.`);
    const params = value.params ?? {};
    if (typeof params !== "object") return malformed(id, `The member "params" is a JSON object.`);
    if (id === null) return this.#inspectNotification(value.method, params);
    return this.#inspectRequest({ jsonrpc: "2.0", id, method: value.method, params });
  }

  #inspectRequest(message: IncomingRequest): Verdict {
    const key = String(message.id);
    if (this.#inFlight.has(key)) {
      return refuse(message.id, "duplicate_id", `A request with the id ${key} still waits for its answer.`);
    }
    if (this.#inFlight.size >= this.#maxInFlight) {
      const text = `${this.#maxInFlight} requests wait for their answers already: send this one again after one came.`;
      const error = protocolError("overloaded", text, { maxInFlight: this.#maxInFlight });
      return { type: "refuse", id: message.id, error };
    }
    this.#inFlight.add(key);
    return { type: "request", message };
  }

  #inspectNotification(method: string, params: Params): Verdict {
    if (!method.startsWith("$/")) return { type: "notification", message: { jsonrpc: "2.0", method, params } };
    const requestId = cancelledId(method, params);
    if (!isId(requestId) || !this.#inFlight.has(String(requestId))) return { type: "ignore" };
    return { type: "cancel", requestId };
  }
}

function inspectAnswer(value: Record<string, unknown>, id: RequestId | null): Verdict {
  if (value.result === undefined && value.error === undefined) {
    return malformed(id, "A message has a method, or a result, or an error.");
  }
  const sent = isObject(value.error) ? value.error : undefined;
  const code = typeof sent?.code === "number" ? sent.code : -32603;
  const text = typeof sent?.message === "string" ? sent.message : "The other side reported an error without a message.";
  const error = { code, message: text, data: sent?.data };
  if (id === null) return { type: "complaint", error: errorFromWire(error) };
  if (sent === undefined && value.result !== undefined) {
    return { type: "answer", message: { jsonrpc: "2.0", id, result: value.result } };
  }
  return { type: "answer", message: { jsonrpc: "2.0", id, error } };
}

/** `$/cancel_request {requestId}` is ours and ACP's, `$/cancelRequest {id}` is that of language servers. */
function cancelledId(method: string, params: Params): unknown {
  if (method === "$/cancel_request" && "requestId" in params) return params.requestId;
  if (method === "$/cancelRequest" && "id" in params) return params.id;
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isId(value: unknown): value is RequestId {
  // 1e999 is read as Infinity, which no answer could carry.
  return typeof value === "string" || Number.isFinite(value);
}

function malformed(id: RequestId | null, message: string): Verdict {
  return refuse(id, "malformed", message);
}

function refuse(id: RequestId | null, reason: "batch" | "duplicate_id" | "malformed", message: string): Verdict {
  return { type: "refuse", id, error: protocolError("invalid_request", message, { reason }) };
}
