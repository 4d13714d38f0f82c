import { type ErrorDetail, type ErrorDialect, errorJson } from "./error-dialect.ts";
import { type Flavour, flavourRows } from "./flavour.ts";

/** An error answer, as a vendor words it. */
export interface VendorError {
  status: number;
  body: string;
}

/** The words that OpenAI, and vendors that follow it, use for a status. */
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

/**
 * The vendor's error body for this status. 502 comes from the gateway in front of it; only Anthropic has a body for
 * 413.
 */
export function statusError(dialect: ErrorDialect, status: number, message?: string): VendorError {
  if (message === undefined && status === 502) return { status, body: badGatewayPage };
  if (message === undefined && status === 413) {
    const detail = { message: "Request exceeds the maximum size" };
    return { status, body: dialect === "anthropic" ? errorJson(dialect, status, detail) : "" };
  }
  const usual = byStatus[status] ?? { message: `The request failed with status ${status}.`, type: "server_error" };
  return { status, body: errorJson(dialect, status, { ...usual, message: message ?? usual.message }) };
}

/** The flavour's answer for an unknown path. LM Studio really answers 200 (lmstudio-bug-tracker#618, #1323). */
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
      return { status: 404, body: errorJson("llamacpp", 404, detail), contentType: json };
    }
    case "vllm":
      return { status: 404, body: JSON.stringify({ detail: "Not Found" }), contentType: json };
    case "openrouter":
      return { status: 404, body: "<!DOCTYPE html><title>Not Found | OpenRouter</title>", contentType: "text/html" };
    default: {
      const detail = { message: `Invalid URL (${method} ${path})`, type: "invalid_request_error" };
      return { status: 404, body: errorJson(flavourRows[flavour].errors, 404, detail), contentType: json };
    }
  }
}
