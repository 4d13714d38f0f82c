/** Vendors' error messages and codes for a prompt that is too long. */
const OVERFLOW: readonly RegExp[] = [
  /prompt is too long/i, // Anthropic
  /request_too_large/i, // Anthropic, by bytes
  /exceed context limit: \d+/i, // Anthropic, prompt and reply together
  /input is too long for requested model/i, // Bedrock
  /exceeds the context window/i, // OpenAI
  /input token count.{0,200}exceeds the maximum/is, // Google
  /maximum prompt length is \d+/i, // xAI
  /reduce the length of (the messages|either one|your prompt)/i, // Groq, OpenRouter
  /maximum context length (is|of) \d+/i, // OpenAI, OpenRouter, vLLM
  /longer than the (maximum model length|model's context length)/i, // vLLM, SGLang
  /context length (is|of) only \d+/i, // vLLM, LM Studio
  /token count of \d+ exceeds the limit of \d+/i, // GitHub Copilot
  /exceeds? the available context size/i, // llama.cpp
  /exceed_context_size_error/i, // llama.cpp
  /context size has been exceeded/i, // llama.cpp, LM Studio
  /greater than the context length/i, // LM Studio
  /reached context length of \d+/i, // LM Studio
  /context window exceeds limit/i, // MiniMax
  /exceeded model token limit/i, // Kimi
  /too large for model with \d+ maximum context length/i, // Mistral
  /model_context_window_exceeded/i, // z.ai
  /prompt exceeds max length/i, // z.ai
  /prompt too long; exceeded (max )?context length/i, // Ollama
  /input length exceeds the context length/i, // Ollama 0.12
  /prompt is longer than the context length/i, // Ollama 0.30
  /context[_ ]length[_ ]exceeded/i,
  /too many (input )?tokens/i,
  /token limit exceeded/i,
  /context_?window_?exceeded/i, // LiteLLM
  /oversize_?input|exceed max message tokens/i, // Volcengine Ark
];

/** Similar wording in errors about request rates. */
const RATE = /rate limit|too many requests|tokens per (minute|day)|throttl/i;

export function isOverflow(text: string): boolean {
  return !RATE.test(text) && OVERFLOW.some((pattern) => pattern.test(text));
}

/** Words for the size of a request, and words for excess, in any order. */
const MEASURE = /\b(tokens?|prompts?|inputs?|contexts?|sequences?|messages?|conversation)(?![a-z])|_len\b|_tokens\b/i;
const EXCESS =
  /exceed|too (long|large|many|big)|over ?(size|flow|limit|long)|(greater|larger|longer|more|less|fewer|smaller) than|(must|should) (be|have|not)|at most|up to|limit|maximum|\bmax|range of|<=?|超过|超出|过长/i;
/** Limits of something else: of the answer, or of one field of the request. */
const OTHER =
  /max_(completion_|output_)?tokens\W{0,3}(must|should|is|:|to)|temperature|top_p|\bstop\b|image|audio|video|\bfiles?\b|\btools?\b|function|schema|description|\bnames?\b|metadata|header|timeout|seconds/i;
/** The smallest context window that a server is started with. */
const LEAST_WINDOW = 256;
/** A shorter request, in characters, fits any window. */
export const LARGE_REQUEST = 24_000;

/**
 * Servers use many wordings, so a refusal about too much input counts as an overflow if the request is large, or if it
 * names a limit that the request may well exceed. A token has at least about one character, so `sent`, the request's
 * characters, is an upper bound. For statuses that refuse a request; callers must act on it only once.
 */
export function mayBeOverflow(text: string, sent: number): boolean {
  if (RATE.test(text) || OTHER.test(text) || !MEASURE.test(text) || !EXCESS.test(text)) return false;
  const named = (text.match(/\d[\d,_]*/g) ?? []).map((digits) => Number(digits.replace(/[,_]/g, "")));
  const limits = named.filter((number) => number >= LEAST_WINDOW);
  if (limits.length === 0) return sent > LARGE_REQUEST;
  return limits.some((limit) => limit < sent);
}
