// The errors of the wire: one row per kind. Clients switch on `data.kind`, people read `message`.
import * as z from "zod";

type ErrorRow<D extends z.ZodObject = z.ZodObject> = {
  readonly code: number;
  /** The default of `data.retryable`: whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  readonly doc: string;
  /** The fields of `data` besides kind, retryable and retryAfterMs. */
  readonly data: D;
};

function row<D extends z.ZodObject>(code: number, retryable: boolean, doc: string, data: D): ErrorRow<D> {
  return { code, retryable, doc, data };
}

const text = z.string();

/** One mistake in the params. `path` is dotted (`prompt.0.text`), empty for the params as a whole. */
export const ParamsIssue = z.object({ path: text, message: text });
export type ParamsIssue = z.infer<typeof ParamsIssue>;

const InvalidRequestReason = z.enum([
  "not_initialized",
  "already_initialized",
  "batch",
  "too_large",
  "duplicate_id",
  "malformed",
]);

export const errorKinds = {
  parse: row(-32700, false, "The line is not valid JSON in UTF-8.", z.object({})),
  invalid_request: row(
    -32600,
    false,
    "The line is JSON but not a request, or the request is not allowed now.",
    z.object({ reason: InvalidRequestReason, maxBytes: z.number().int().optional() }),
  ),
  method_not_found: row(-32601, false, "There is no such method.", z.object({ method: text })),
  invalid_params: row(-32602, false, "The params do not fit the method.", z.object({ issues: z.array(ParamsIssue) })),
  internal: row(
    -32603,
    false,
    "A bug of the serving side; its log has the details under errorId.",
    z.object({ errorId: text }),
  ),
  auth_required: row(-32000, false, "The provider has no valid credentials.", z.object({ provider: text })),
  overloaded: row(
    -32001,
    true,
    "Too many requests in flight on this connection; wait for answers, then repeat.",
    z.object({ maxInFlight: z.number().int().optional() }),
  ),
  not_found: row(-32002, false, "The named thing does not exist.", z.object({ what: text, id: text.optional() })),
  conflict: row(
    -32010,
    false,
    "The state is not the one the request expects: a turn is active, a version is old, a promptId was used for other content, another server holds the session.",
    z.object({
      currentTurnId: text.optional(),
      version: z.union([z.number(), text]).optional(),
      /** The session that another server holds, and its socket. */
      sessionId: text.optional(),
      socketPath: text.optional(),
    }),
  ),
  permission_denied: row(-32011, false, "A rule or a person refused it.", z.object({ ruleId: text.optional() })),
  provider_error: row(
    -32012,
    false,
    "The model's provider failed.",
    z.object({
      provider: text,
      httpStatus: z.number().int().optional(),
      providerKind: z.enum(["rate_limit", "overloaded", "context_window", "bad_request", "network", "refused"]),
    }),
  ),
  limit_exceeded: row(
    -32013,
    false,
    "A limit of the run was reached.",
    z.object({ which: z.enum(["turns", "budget", "time"]) }),
  ),
  unsupported: row(-32014, false, "The other side did not offer this capability.", z.object({ capability: text })),
  storage_failed: row(
    -32015,
    true,
    "Reading or writing the disk failed; the message says why and what to do.",
    z.object({}),
  ),
  folder_gone: row(
    -32016,
    false,
    "The folder of the session no longer exists: resume it with `cwd`, the folder where it is now.",
    z.object({ sessionId: text, cwd: text }),
  ),
  unsupported_protocol_version: row(
    -32022,
    false,
    "No protocol version in common.",
    z.object({ supported: z.array(text) }),
  ),
  closed: row(
    -32097,
    true,
    "The connection ended before the answer came. Made by the calling side; never sent.",
    z.object({}),
  ),
  invalid_result: row(
    -32098,
    false,
    "The peer's answer does not fit the method. Made by the calling side; never sent.",
    z.object({ method: text, issues: z.array(ParamsIssue) }),
  ),
  cancelled: row(-32800, false, "The request was cancelled.", z.object({})),
} as const satisfies Record<string, ErrorRow>;

export type ErrorKind = keyof typeof errorKinds;

type Retry = { readonly retryable?: boolean; readonly retryAfterMs?: number };

/** Fields of a kind besides the message. */
export type ErrorFields<K extends ErrorKind> = z.input<(typeof errorKinds)[K]["data"]> & Retry;

/** `error.data` on the wire; a union discriminated by `kind`. */
export type ErrorData<K extends ErrorKind = ErrorKind> = K extends ErrorKind
  ? { readonly kind: K; readonly retryable: boolean; readonly retryAfterMs?: number } & Readonly<
      z.output<(typeof errorKinds)[K]["data"]>
    >
  : never;

/** The `error` member of a JSON-RPC response. */
export type WireError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** The one error that crosses the wire. `message` is for people; programs switch on `kind`. */
export class ProtocolError<K extends ErrorKind = ErrorKind> extends Error {
  override readonly name = "ProtocolError";
  readonly kind: K;
  /** The number on the wire; a newer peer may use one without a row here. */
  readonly code: number;
  readonly data: ErrorData<K>;

  constructor(kind: K, message: string, data: ErrorData<K>, code: number = errorKinds[kind].code) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.data = data;
  }

  toWire(): WireError {
    return { code: this.code, message: this.message, data: this.data };
  }
}

type FieldArguments<K extends ErrorKind> =
  Record<never, never> extends ErrorFields<K> ? [fields?: ErrorFields<K>] : [fields: ErrorFields<K>];

/** `protocolError("not_found", "There is no session x.", { what: "session", id: "x" })` */
export function protocolError<K extends ErrorKind>(
  kind: K,
  message: string,
  ...[fields]: FieldArguments<K>
): ProtocolError<K> {
  // The compiler cannot see that the parts of a generic row add up to its data.
  const data = { kind, retryable: errorKinds[kind].retryable, ...fields } as unknown as ErrorData<K>;
  return new ProtocolError(kind, message, data);
}

/** A value of the params that the schema allows, but the method does not. */
export function invalidParam(path: string, message: string): ProtocolError<"invalid_params"> {
  return protocolError("invalid_params", message, { issues: [{ path, message }] });
}

/** The error of every call that is pending when its connection ends, and of every later one. */
export function closedError(): ProtocolError<"closed"> {
  return protocolError("closed", "The connection to the other side has ended.");
}

const kindByCode: ReadonlyMap<number, ErrorKind> = new Map(
  Object.entries(errorKinds).map(([kind, { code }]) => [code, kind as ErrorKind]),
);

function isKind(value: unknown): value is ErrorKind {
  return typeof value === "string" && Object.hasOwn(errorKinds, value);
}

/** Replaces fields that a foreign peer, which knows only the code, did not send. */
const unsaid = {
  errorId: "unknown",
  method: "unknown",
  what: "unknown",
  provider: "unknown",
  capability: "unknown",
  reason: "malformed",
  issues: [],
  supported: [],
};

/**
 * Reads a peer's error; never throws, whatever the peer sent. The kind is taken from `data.kind`, otherwise from the
 * code, otherwise it is `internal`. Every field that the kind's row promises is present.
 */
export function errorFromWire(wire: WireError): ProtocolError {
  const sent: Record<string, unknown> = typeof wire.data === "object" && wire.data !== null ? { ...wire.data } : {};
  const kind = isKind(sent.kind) ? sent.kind : (kindByCode.get(wire.code) ?? "internal");
  const { retryable = errorKinds[kind].retryable, retryAfterMs } = sent;
  const retry: Retry = {
    retryable: retryable === true,
    ...(typeof retryAfterMs === "number" && retryAfterMs >= 0 ? { retryAfterMs } : {}),
  };
  const schema = errorKinds[kind].data;
  const fields = [sent, { ...unsaid, ...sent }, unsaid]
    .map((wireData) => schema.safeParse(wireData))
    .find(({ success }) => success);
  if (fields?.data === undefined) {
    const data: ErrorData<"internal"> = {
      ...retry,
      retryable: retry.retryable === true,
      kind: "internal",
      errorId: "unknown",
    };
    return new ProtocolError<ErrorKind>("internal", wire.message, data, wire.code);
  }
  // The compiler cannot see that the row's own schema made these fields.
  return new ProtocolError(kind, wire.message, { ...fields.data, ...retry, kind } as unknown as ErrorData, wire.code);
}
