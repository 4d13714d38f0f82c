/** The shapes of error bodies. Each vendor's row names its own; Ollama's API and LM Studio's have a bare string. */
export type ErrorDialect =
  | "openai"
  | "openrouter"
  | "anthropic"
  | "google"
  | "mistral"
  | "xai"
  | "zai"
  | "llamacpp"
  | "vllm"
  | "detail"
  | "string";

export interface ErrorDetail {
  message: string;
  type?: string;
  code?: string | number | null;
  param?: string | null;
}

type Shape = (status: number, detail: ErrorDetail) => unknown;

const shapes: Record<ErrorDialect, Shape> = {
  openai: (_status, { message, type = "invalid_request_error", param = null, code = null }) => {
    return { error: { message, type, param, code } };
  },
  openrouter: (status, { message, code }) => {
    return { error: { message, code: typeof code === "number" ? code : status, metadata: {} } };
  },
  anthropic: (status, { message }) => {
    const error = { type: anthropicTypes[status] ?? "api_error", message };
    return { type: "error", error, request_id: "req_011ScriptedModelServer" };
  },
  // The OpenAI-compatible endpoint of Gemini wraps its error in a list.
  google: (status, { message }) => [{ error: { code: status, message, status: googleStatus[status] ?? "UNKNOWN" } }],
  mistral: (_status, { message, type = "invalid_request_error", param = null, code = null }) => {
    return { object: "error", message, type, param, code };
  },
  xai: (_status, { message, type = "Client specified an invalid argument" }) => ({ code: type, error: message }),
  zai: (status, { message, code }) => ({ error: { code: String(code ?? zaiCodes[status] ?? status), message } }),
  llamacpp: (status, { message, type = "invalid_request_error" }) => ({ error: { code: status, message, type } }),
  vllm: (status, { message, param = null }) => ({ error: { message, type: vllmType(status), param, code: status } }),
  detail: (_status, { message }) => ({ detail: message }),
  string: (_status, { message }) => ({ error: message }),
};

export function errorJson(dialect: ErrorDialect, status: number, detail: ErrorDetail): string {
  return JSON.stringify(shapes[dialect](status, detail));
}

/** docs: "Errors", "HTTP errors". */
export const anthropicTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  422: "invalid_request_error",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const googleStatus: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const zaiCodes: Readonly<Record<number, string>> = { 400: "1210", 401: "1001", 429: "1302", 500: "500" };

function vllmType(status: number): string {
  if (status === 404) return "NotFoundError";
  return status >= 500 ? "InternalServerError" : "BadRequestError";
}
