import { describe, expect, it } from "vitest";
import { vendorOf } from "../../../test/vendor-of.ts";
import { endpointOf } from "../../vendors/locate.ts";
import { LoginError } from "../endpoint/login-session.ts";
import { HttpError, RequestTimeoutError } from "../http/exchange.ts";
import { MAX_REPLY_BYTES, TooLongError } from "../reply/too-long.ts";
import { readErrorBody } from "./error-text.ts";
import type { ExplainedFailure } from "./explained.ts";
import { BrokenStreamError, explain, StreamError, WrongApiError } from "./failure.ts";

const KEY = "sk-or-v1-0123456789abcdef0123456789";
const now = Date.parse("2026-11-21T10:00:00Z");

function endpoint(id: string, env: Record<string, string> = { OPENROUTER_API_KEY: KEY, OPENAI_API_KEY: KEY }) {
  const vendor = vendorOf(id);
  const located = vendor && endpointOf(vendor, env);
  if (!located?.ok) throw new Error(id);
  return located.endpoint;
}

function of(cause: unknown, id = "openai", env?: Record<string, string>): ExplainedFailure {
  return explain(cause, { endpoint: endpoint(id, env), model: "the-model", now });
}

function http(status: number, body: unknown = "", headers: Record<string, string> = {}, sent = 100): HttpError {
  return new HttpError(status, headers, typeof body === "string" ? body : JSON.stringify(body), sent);
}

function openAiError(message: string, code: string | null = null, type = "invalid_request_error"): unknown {
  return { error: { message, type, code, param: null } };
}

function anthropicError(type: string, message: string): unknown {
  return { type: "error", error: { type, message }, request_id: "req_1" };
}

const NO_CREDIT =
  "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade.";
const BOTH_TOO_LONG =
  "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length";

describe("the error of a response status", () => {
  it.each<[string, HttpError, ExplainedFailure["failure"]["kind"], boolean]>([
    ["400", http(400, openAiError("Invalid value")), "badRequest", false],
    ["401", http(401, openAiError("Incorrect API key provided")), "auth", false],
    ["402", http(402, { error: { message: "Insufficient credits", code: 402 } }), "auth", false],
    ["403", http(403, openAiError("Country not supported")), "auth", false],
    ["403, moderation", http(403, { error: { message: "Your input was flagged", code: 403 } }), "refused", false],
    ["400, content filter", http(400, openAiError("filtered", "content_filter")), "refused", false],
    ["404", http(404, "404 page not found"), "badRequest", false],
    ["408", http(408), "network", true],
    ["409", http(409), "network", true],
    ["413", http(413), "overflow", false],
    ["413, a gateway's page", http(413, "<html><title>413 Request Entity Too Large</title></html>"), "overflow", false],
    ["422", http(422, { detail: [{ msg: "field required" }] }), "badRequest", false],
    ["425", http(425), "network", true],
    ["429", http(429, openAiError("Rate limit reached", "rate_limit_exceeded")), "rateLimit", true],
    [
      "429, tokens a minute",
      http(429, openAiError("Request too large for gpt-4.1: tokens per minute limit")),
      "rateLimit",
      true,
    ],
    ["429, quota", http(429, openAiError("You exceeded your current quota", "insufficient_quota")), "auth", false],
    ["500", http(500, openAiError("server error")), "network", true],
    ["502", http(502, "<html><body>Bad Gateway</body></html>"), "network", true],
    ["503", http(503), "network", true],
    ["529", http(529, { error: { type: "overloaded_error", message: "Overloaded" } }), "network", true],
    ["400, no credit", http(400, anthropicError("invalid_request_error", NO_CREDIT)), "auth", false],
    ["400, prompt and reply", http(400, anthropicError("invalid_request_error", BOTH_TOO_LONG)), "overflow", false],
    [
      "413, by bytes",
      http(413, anthropicError("request_too_large", "Request exceeds the maximum size")),
      "overflow",
      false,
    ],
    ["404, no such model", http(404, anthropicError("not_found_error", "model: claude-0")), "badRequest", false],
    ["400, bare, a small request", http(400), "badRequest", false],
    ["400, bare, a large request", http(400, "", {}, 200_000), "overflow", false],
    [
      "500, memory",
      http(500, { error: "model requires more system memory (9 GiB) than is available" }),
      "badRequest",
      false,
    ],
    ["302", http(302, "", { location: "https://elsewhere.example/v1" }), "badRequest", false],
  ])("is read: %s", (_name, cause, kind, retryable) => {
    const { failure, retryable: again } = of(cause);
    expect([failure.kind, again]).toEqual([kind, retryable]);
    expect(failure.message).toContain("OpenAI");
  });

  it.each([
    ["openai", 404, openAiError("The model `x` does not exist or you do not have access to it.", "model_not_found")],
    ["openrouter", 400, { error: { message: "the-model is not a valid model ID", code: 400 } }],
    ["openrouter", 404, { error: { message: "No endpoints found for the-model.", code: 404 } }],
    ["ollama", 404, { error: "model 'the-model' not found" }],
    ["ollama", 404, { error: 'model "the-model" not found, try pulling it first' }],
    ["vllm", 404, { message: "The model `the-model` does not exist.", type: "NotFoundError", code: 404 }],
  ])("explains how to find a model when %s does not have it", (id, status, body) => {
    const { failure } = of(http(status, body), id);
    expect(failure.kind).toBe("badRequest");
    expect(failure.message).toContain('has no model "the-model"');
    expect(failure.message).toContain(vendorOf(id)?.models);
  });

  it.each(["openai", "openrouter"])("names a way to list the models of %s in a session and in a shell", (id) => {
    expect(vendorOf(id)?.models).toMatch(/`\/model`.*`harness models`/);
  });

  it.each([
    ["gemini", [{ error: { code: 400, message: "API key not valid. Please pass a valid API key." } }]],
    ["gemini", [{ error: { code: 400, message: "API key expired. Please renew the API key." } }]],
    ["gemini", [{ error: { code: 400, message: "Missing or invalid Authorization header." } }]],
    ["xai", { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***." }],
  ])("is a wrong key when %s answers with 400: %j", (id, body) => {
    const { failure, retryable } = of(http(400, body), id);
    expect([failure.kind, retryable]).toEqual(["auth", false]);
    expect(failure.message).toContain(`harness auth set ${id}`);
    expect(failure.message).toContain(`${vendorOf(id)?.keyEnv}`);
    expect(of(new StreamError(readErrorBody(JSON.stringify(body))), id).failure.kind).toBe("auth");
  });

  it("reports a model that is not open to a key, and not a wrong key", () => {
    const body = openAiError("Project `proj_x` does not have access to model `the-model`", "model_not_found");
    const { failure } = of(http(403, body));
    expect(failure).toMatchObject({ kind: "badRequest", message: expect.stringContaining('has no model "the-model"') });
  });

  it.each([
    "Internal: unknown model state",
    "llama runner process has terminated: signal: killed, out of memory",
    "no such model worker is alive",
  ])("is retryable with 500: %s", (message) => {
    expect(of(http(500, { error: message }), "ollama")).toMatchObject({
      retryable: true,
      failure: { kind: "network" },
    });
  });

  it.each(['model "the-model" not found, try pulling it first', "model 'the-model' not found"])(
    "is not retryable with 500: %s",
    (error) => {
      expect(of(http(500, { error }), "ollama")).toMatchObject({ retryable: false, failure: { kind: "badRequest" } });
    },
  );

  it.each([
    ["groq", http(400, openAiError("Failed to call a function. See 'failed_generation'.", "tool_use_failed"))],
    ["groq", new StreamError(readErrorBody(JSON.stringify(openAiError("Failed", "tool_use_failed"))))],
    ["gemini", new StreamError({ message: "the model wrote a call that cannot be read (x)", codes: "" })],
  ])("is retried once when the model of %s wrote a call that cannot be read", (id, cause) => {
    const explained = of(cause, id);
    expect(explained).toMatchObject({ retryable: true, attempts: 2 });
    expect(explained.failure.message).toMatch(/^the-model wrote a tool call that .* could not read\./);
  });

  it("names the model's missing capability", () => {
    const body = { error: '"the-model" does not support tools' };
    expect(of(http(400, body), "ollama").failure.message).toContain("cannot use tools: choose a model that can");
  });

  it("names the variable of the key, and whether it is set", () => {
    expect(of(http(401)).failure.message).toContain(
      "did not accept the API key (401). Set OPENAI_API_KEY to a valid one",
    );
    expect(of(http(401), "openai", {}).failure.message).toContain("requires an API key");
  });

  it("includes the delay that the server asks for, also as text", () => {
    const { failure } = of(http(429, "", { "retry-after": "600" }));
    expect(failure).toMatchObject({ retryAfterMs: 600_000, message: expect.stringContaining("wait 10 minutes") });
    expect(of(http(503, "", { "retry-after": "2" })).failure.retryAfterMs).toBe(2_000);
    expect(of(http(400, "", { "retry-after": "2" })).failure.retryAfterMs).toBeUndefined();
    expect(of(http(429, "", { "retry-after": "-5" })).failure.retryAfterMs).toBeUndefined();
  });
});

describe("the error of a conversation that is too long", () => {
  it.each([
    "prompt is too long: 213462 tokens > 200000 maximum",
    "request_too_large",
    "Input is too long for requested model.",
    "Your input exceeds the context window of this model.",
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "Please reduce the length of the messages or completion.",
    "This endpoint's maximum context length is 200000 tokens. However, you requested about 213462 tokens.",
    "This model's maximum context length is 8192 tokens. However, you requested 9412 tokens",
    "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
    "prompt token count of 90000 exceeds the limit of 64000",
    "request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "The number of tokens to keep from the initial prompt is greater than the context length.",
    "invalid params, context window exceeds limit",
    "Your request exceeded model token limit: 262144",
    "You passed 9001 input tokens and requested 0 output tokens. However, the model's context length is only 8192 tokens",
    "Trying to keep the first 14538 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough.",
    "Context size has been exceeded.",
    "Reached context length of 4096 tokens, but this model does not currently support mid-generation context overflow.",
    "Prompt contains 40112 tokens, too large for model with 32768 maximum context length",
    "prompt too long; exceeded max context length by 4242 tokens",
    "context_length_exceeded",
    "Too many tokens in the prompt",
  ])("is recognised: %s", (message) => {
    for (const status of [400, 500]) expect(of(http(status, openAiError(message))).failure.kind).toBe("overflow");
    expect(of(new StreamError(readErrorBody(JSON.stringify(openAiError(message))))).failure.kind).toBe("overflow");
  });

  it.each([
    "Invalid 'input[3].content[1].image_url'. Image size exceeds the limit of 50 MB.",
    "String should have at most 1048576 characters: exceeds the limit of 1048576",
  ])("is not confused with another limit: %s", (message) => {
    expect(of(http(400, openAiError(message))).failure.kind).toBe("badRequest");
  });

  it.each([
    [400, "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]"], // DashScope
    [400, "Requested tokens (40000) exceed context window of 32768"], // llama-cpp-python
    [500, "Requested tokens (40000) exceed context window of 32768"],
    [400, "Prompt length 40000 is greater than max_seq_len 32768"], // TabbyAPI
    [400, "Prompt too long: 40000 tokens exceeds max context window of 32768 tokens"], // oMLX
    [400, "The sum of prompt length (40000.0) should not exceed max_num_tokens (8192)"], // TensorRT-LLM
    [422, "Input validation error: `inputs` must have less than 4096 tokens. Given: 9001"], // TGI
    [422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9001"],
    [400, "Total tokens of image and text exceed max message tokens"], // Volcengine Ark
    [400, "litellm.ContextWindowExceededError: ContextWindowExceededError - too big"], // LiteLLM
    [400, "Input length too long for this model"], // Hunyuan
    [400, "the request has 50,000 tokens, at most 32,768 fit"],
    [400, "输入 token 数超过限制"],
    [400, "Invalid 'messages[3].content': string too long. Expected a string with maximum length 30000"],
  ])("is recognised by its numbers and the size of the request: %i %s", (status, message) => {
    expect(of(http(status, openAiError(message), {}, 55_000)).failure.kind).toBe("overflow");
  });

  it.each([
    "max_tokens must be less than 8192",
    "max_completion_tokens is too large: 64000. This model supports at most 32768 completion tokens",
    "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024",
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got 300",
    "messages: roles must alternate between user and assistant",
    "temperature must be less than 2",
    "image exceeds 5 MB maximum: 6000000 bytes",
    "Unsupported parameter: 'max_tokens' is not supported with this model",
    "request timeout of 600 seconds exceeded",
  ])("is not seen in other refusals of a large request: %s", (message) => {
    expect(of(http(400, openAiError(message), {}, 55_000)).failure.kind).toBe("badRequest");
  });

  it("is not seen where the limit is far above the request", () => {
    const words = "Requested tokens exceed context window of 32768";
    expect(of(http(400, openAiError(words), {}, 5_000)).failure.kind).toBe("badRequest");
  });

  it("is not confused with a rate limit, whatever its text", () => {
    for (const words of ["Too many tokens, rate limit exceeded", "maximum context length is 8192 tokens"]) {
      expect(of(http(429, openAiError(words))).failure.kind).toBe("rateLimit");
    }
    expect(of(http(400, openAiError("Throttling: too many tokens, please wait"))).failure.kind).toBe("badRequest");
  });
});

describe("an error inside a stream", () => {
  it.each<[unknown, string, boolean]>([
    [{ error: { message: "Provider disconnected", code: "server_error" } }, "network", true],
    [{ error: { message: "Provider returned error", code: 502 } }, "network", true],
    [{ error: { message: "Rate limited", code: 429 } }, "rateLimit", true],
    [{ error: { message: "No credits", code: 402 } }, "auth", false],
    [{ error: { message: "bad", type: "invalid_request_error" } }, "badRequest", false],
    [anthropicError("overloaded_error", "Overloaded"), "network", true],
    [anthropicError("rate_limit_error", "Number of requests"), "rateLimit", true],
    [anthropicError("authentication_error", "invalid x-api-key"), "auth", false],
    [anthropicError("permission_error", "not allowed"), "auth", false],
    [anthropicError("billing_error", "no payment"), "auth", false],
    [anthropicError("request_too_large", "too many bytes"), "overflow", false],
    [anthropicError("not_found_error", "model: x"), "badRequest", false],
    [{ error: "llama runner process has terminated" }, "network", true],
    [{ error: {} }, "network", true],
  ])("is read: %j", (value, kind, retryable) => {
    const explained = of(new StreamError(readErrorBody(JSON.stringify(value))), "openrouter");
    expect([explained.failure.kind, explained.retryable]).toEqual([kind, retryable]);
  });
});

describe("a failed connection", () => {
  const errno = (code: string) => Object.assign(new Error(`${code} at 127.0.0.1`), { code });

  it.each<[string, boolean]>([
    ["ECONNREFUSED", false],
    ["ENOTFOUND", false],
    ["CERT_HAS_EXPIRED", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", false],
    ["EPROTO", false],
    ["HPE_INVALID_CONSTANT", false],
    ["ERR_INVALID_CHAR", false],
    ["ERR_PROXY_TUNNEL", false],
    ["ECONNRESET", true],
    ["EPIPE", true],
    ["ETIMEDOUT", true],
    ["EAI_AGAIN", true],
    ["ENETUNREACH", true],
    ["EHOSTUNREACH", true],
    ["ERR_STREAM_PREMATURE_CLOSE", true],
    ["UND_ERR_SOCKET", true],
  ])("is reported: %s", (code, retryable) => {
    const explained = of(errno(code));
    expect([explained.failure.kind, explained.retryable]).toEqual(["network", retryable]);
    expect(explained.failure.message).toContain("https://api.openai.com/v1");
  });

  it("is reported with how to start a local server", () => {
    expect(of(errno("ECONNREFUSED"), "ollama").failure.message).toBe(
      "Ollama at http://127.0.0.1:11434 is not running: start it with `ollama serve`, or choose another provider.",
    );
  });

  const url = "http://box:1/v1";
  it.each<[string, unknown]>([
    ["refused connections", errno("ECONNREFUSED")],
    ["an unknown host", errno("ENOTFOUND")],
    ["no TLS", errno("EPROTO")],
    ["a web page", new WrongApiError("a web page")],
    ["an unknown path", http(404, "")],
    ["a redirection", http(302, "", { location: "http://other" })],
  ])("is reported with the flag that the address is from, else the setting and the variable: %s", (_, cause) => {
    const named = of(cause, "openai", { OPENAI_BASE_URL: url, HARNESS_URL: url }).failure.message;
    expect(named).toContain("-u or HARNESS_URL");
    expect(named).not.toContain("OPENAI_BASE_URL");
    expect(of(cause, "openai", { OPENAI_BASE_URL: url }).failure.message).toContain(
      "openai_base_url or OPENAI_BASE_URL",
    );
  });

  it.each(["connect", "answer", "stream", "close"] as const)(
    "is reported when the server is silent in the phase %s",
    (phase) => {
      const { failure, retryable } = of(new RequestTimeoutError(phase, 60_000));
      expect(failure.message).toContain("for 60 s");
      expect([failure.kind, retryable]).toEqual(["network", true]);
    },
  );

  it("is reported as a broken stream or another protocol where it is one", () => {
    expect(of(new BrokenStreamError("x"))).toMatchObject({ retryable: true, failure: { kind: "network" } });
    expect(of(new WrongApiError("a web page")).failure.message).toContain("OPENAI_BASE_URL");
  });

  it("says the limit if a reply was larger than harness takes, and is not a bug", () => {
    const { failure, retryable } = of(new TooLongError("a reply", MAX_REPLY_BYTES), "ollama");
    expect([failure.kind, retryable]).toEqual(["network", false]);
    expect(failure.message).toContain("sent a reply of more than 256 MB, which is more than harness reads.");
  });

  it("is distinguished from our own bugs", () => {
    expect(of(new TypeError("x is not a function"))).toMatchObject({ retryable: false, failure: { kind: "internal" } });
    expect(of(errno("ERR_INVALID_ARG_TYPE")).failure.kind).toBe("internal");
    expect(of("a string").failure.kind).toBe("internal");
  });
});

describe("a server's error message", () => {
  it("is found in any place", () => {
    const raw = JSON.stringify({ error: { message: "the true reason" } });
    const cases: [unknown, string][] = [
      [{ error: { message: "a" } }, "a"],
      [{ error: "b" }, "b"],
      [{ message: "c" }, "c"],
      [{ detail: "d" }, "d"],
      [{ detail: [{ msg: "e" }, { msg: "f" }] }, "e; f"],
      [{ errors: [{ message: "g" }] }, "g"],
      [{ error: { message: "Provider returned error", metadata: { raw } } }, "the true reason"],
      [{ error: { message: "Provider returned error", metadata: { raw: "plain" } } }, "plain"],
    ];
    for (const [body, message] of cases) expect(readErrorBody(JSON.stringify(body)).message).toBe(message);
    expect(readErrorBody("plain\ntext").message).toBe("plain text");
    expect(readErrorBody("[1]").message).toBe("[1]");
  });

  it("is stripped of markup and control characters, and shortened", () => {
    const page = "<html><head><title>502 Bad Gateway</title></head><body><script>x()</script></body></html>";
    expect(readErrorBody(page).message).toBe("502 Bad Gateway");
    expect(readErrorBody("<p>No <b>way</b><style>p{}</style></p>").message).toBe("No way");
    const hostile = readErrorBody(
      JSON.stringify({ error: "a\u001b[31mred\u001b]0;title\u0007\u202eb\u2028c" }),
    ).message;
    expect(hostile).toBe("ared ]0;title b c");
    expect(readErrorBody("x".repeat(100_000)).message).toHaveLength(301);
  });

  it("asks the person to log in again when a login was refused", () => {
    const login = { token: async () => ({ token: "tok" }), renew: async () => false };
    const asked = { endpoint: { ...endpoint("openai"), login }, model: "m", now };
    const { failure } = explain(http(401, "no: tok-secret"), asked, "tok-secret");
    expect(failure.kind).toBe("auth");
    expect(failure.message).toContain("harness auth login openai");
    expect(failure.message).not.toContain("tok-secret");
    const ended = explain(new LoginError("Log in again."), asked);
    expect(ended).toEqual({ failure: { kind: "auth", message: "Log in again." }, retryable: false });
  });

  it("never contains a secret", () => {
    const echo = `Incorrect API key: ${KEY}; header Bearer ${KEY}; or ghp_0123456789abcdefghij or AIzaSy0123456789abcdefghij or sk-proj-abcdef****wxyz; http://me:hunter22@host/`;
    for (const cause of [
      http(401, openAiError(echo)),
      http(500, echo),
      new StreamError(readErrorBody(echo)),
      new Error(echo),
    ]) {
      const { message } = of(cause, "openrouter").failure;
      expect(message).not.toContain("0123456789abcdef");
      expect(message).not.toContain("wxyz");
      expect(message).not.toContain("hunter22");
    }
    const inAddress = of(http(500), "openai", { OPENAI_BASE_URL: "http://me:hunter22@127.0.0.1:9/v1?key=hunter33" });
    expect(inAddress.failure.message).toContain("http://127.0.0.1:9/v1");
    expect(inAddress.failure.message).not.toMatch(/hunter/);
  });
});
