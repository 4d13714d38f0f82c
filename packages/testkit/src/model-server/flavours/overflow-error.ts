import type { OverflowWords } from "../story/fault-schema.ts";
import type { ErrorDetail } from "./error-dialect.ts";
import { type ErrorDialect, errorJson } from "./error-dialect.ts";
import type { VendorError } from "./vendor-errors.ts";

/** The refusal of an overlong prompt, in a vendor's words and a server's error shape. */
export function overflowError(words: OverflowWords, dialect: ErrorDialect): VendorError {
  const detail = overflowDetails[words];
  if (words !== "llamacpp") return { status: 400, body: errorJson(dialect, 400, detail) };
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
  responses: {
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    type: "invalid_request_error",
    code: "context_length_exceeded",
    param: "input",
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
  deepseek: {
    ...tooLong,
    message:
      "This model's maximum context length is 131072 tokens. However, you requested 140112 tokens (136016 in the " +
      "messages, 4096 in the completion). Please reduce the length of the messages or completion.",
  },
  mistral: {
    ...tooLong,
    message: "Prompt contains 40112 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  },
  xai: {
    type: "Client specified an invalid argument",
    message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  },
  fireworks: { ...tooLong, message: "The prompt is too long: 140112, model maximum context length: 131071" },
  zai: { message: "Prompt exceeds max length", code: "1261" },
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
