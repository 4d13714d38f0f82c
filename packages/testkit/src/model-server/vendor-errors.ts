import type { OverflowWords } from "./faults.ts";
import type { Flavour } from "./flavour.ts";

/** An error answer, as a vendor words it. */
export interface VendorError {
  status: number;
  body: string;
}

export interface ErrorDetail {
  message: string;
  type?: string;
  code?: string | number | null;
  param?: string | null;
}

/** The words that OpenAI, and those who follow it, use for a status. */
const byStatus: Record<number, ErrorDetail> = {
  400: { message: "Invalid request.", type: "invalid_request_error", code: null },
  401: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
  402: { message: "Insufficient credits. Add more credits to your account.", type: "insufficient_quota", code: 402 },
  403: { message: "Your account may not use this model.", type: "permission_error", code: "forbidden" },
  404: { message: "Not found.", type: "invalid_request_error", code: null },
  429: { message: "Rate limit reached for requests per minute.", type: "requests", code: "rate_limit_exceeded" },
  500: { message: "The server had an error while processing your request.", type: "server_error", code: null },
  503: { message: "The engine is currently overloaded, please try again later.", type: "server_error", code: null },
  529: { message: "Overloaded", type: "overloaded_error", code: null },
};

const badGatewayPage =
  "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n" +
  "<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n";

/** The error object of a flavour as JSON. `native` is Ollama's and LM Studio's own API, where the error is a string. */
export function errorJson(flavour: Flavour, status: number, detail: ErrorDetail, native = false): string {
  const { message, type = "invalid_request_error", code = null, param = null } = detail;
  if (native) return JSON.stringify({ error: message });
  switch (flavour) {
    case "openrouter":
      return JSON.stringify({ error: { message, code: typeof code === "number" ? code : status, metadata: {} } });
    case "llamacpp":
      return JSON.stringify({ error: { code: status, message, type } });
    case "vllm":
      return JSON.stringify({ error: { message, type: vllmType(status), param, code: status } });
    case "lmstudio":
      return JSON.stringify({ error: message });
    default:
      return JSON.stringify({ error: { message, type, param, code } });
  }
}

/** What the vendor answers with this status. 502 comes from the gateway before it; 413 has no body. */
export function statusError(flavour: Flavour, status: number, message?: string, native = false): VendorError {
  if (message === undefined && status === 502) return { status, body: badGatewayPage };
  if (message === undefined && status === 413) return { status, body: "" };
  const usual = byStatus[status] ?? { message: `The request failed with status ${status}.`, type: "server_error" };
  return { status, body: errorJson(flavour, status, { ...usual, message: message ?? usual.message }, native) };
}

/** The error object in the middle of a stream that began with 200. */
export function streamErrorJson(flavour: Flavour, native: boolean, message: string, code: string | number): string {
  if (native) return JSON.stringify({ error: message });
  if (flavour !== "openrouter") return JSON.stringify({ error: { message, type: "server_error", param: null, code } });
  return JSON.stringify({
    id: "gen-scripted",
    object: "chat.completion.chunk",
    provider: "Scripted",
    error: { code, message },
    choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: "error" }],
  });
}

export function overflowError(flavour: Flavour, words: OverflowWords | undefined, native: boolean): VendorError {
  const detail = overflowDetails[words ?? flavour];
  if ((words ?? flavour) !== "llamacpp") return { status: 400, body: errorJson(flavour, 400, detail, native) };
  // llama.cpp adds the two counts as numbers.
  const error = { code: 400, message: detail.message, type: detail.type, n_prompt_tokens: 9412, n_ctx: 8192 };
  return { status: 400, body: JSON.stringify({ error }) };
}

const tooLong = { type: "invalid_request_error", code: null };
const overflowDetails: Record<OverflowWords, ErrorDetail> = {
  openai: {
    message:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130412 tokens. " +
      "Please reduce the length of the messages.",
    type: "invalid_request_error",
    code: "context_length_exceeded",
    param: "messages",
  },
  openrouter: {
    ...tooLong,
    message:
      "This endpoint's maximum context length is 200000 tokens. However, you requested about 213462 tokens " +
      "(211000 of text input, 2462 of tool input). Please reduce the length of either one.",
  },
  anthropic: { ...tooLong, message: "prompt is too long: 213462 tokens > 200000 maximum" },
  google: {
    ...tooLong,
    message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).",
  },
  groq: { ...tooLong, message: "Please reduce the length of the messages or completion." },
  mistral: {
    ...tooLong,
    message: "Prompt contains 40112 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  },
  ollama: { ...tooLong, message: "prompt too long; exceeded max context length by 4242 tokens" },
  llamacpp: {
    message: "request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it",
    type: "exceed_context_size_error",
  },
  lmstudio: {
    ...tooLong,
    message:
      "The number of tokens to keep from the initial prompt is greater than the context length. " +
      "Try to load the model with a larger context length, or provide a shorter input",
  },
  vllm: {
    ...tooLong,
    message:
      "This model's maximum context length is 8192 tokens. However, you requested 9412 tokens (8900 in the messages, " +
      "512 in the completion). Please reduce the length of the messages or completion.",
  },
};

/** What the flavour says to a path it does not serve. LM Studio really answers 200 (lmstudio-bug-tracker#618, #1323). */
export function unknownPath(flavour: Flavour, method: string, path: string): VendorError & { contentType: string } {
  const json = "application/json; charset=utf-8";
  switch (flavour) {
    case "ollama":
      return { status: 404, body: "404 page not found", contentType: "text/plain" };
    case "lmstudio": {
      const error = `Unexpected endpoint or method. (${method} ${path})`;
      return { status: 200, body: JSON.stringify({ error }), contentType: json };
    }
    case "llamacpp": {
      const detail = { message: "File Not Found", type: "not_found_error" };
      return { status: 404, body: errorJson(flavour, 404, detail), contentType: json };
    }
    case "vllm":
      return { status: 404, body: JSON.stringify({ detail: "Not Found" }), contentType: json };
    case "openrouter":
      return { status: 404, body: "<!DOCTYPE html><title>Not Found | OpenRouter</title>", contentType: "text/html" };
    case "openai": {
      const detail = { message: `Invalid URL (${method} ${path})`, type: "invalid_request_error" };
      return { status: 404, body: errorJson(flavour, 404, detail), contentType: json };
    }
  }
}

function vllmType(status: number): string {
  if (status === 404) return "NotFoundError";
  return status >= 500 ? "InternalServerError" : "BadRequestError";
}
