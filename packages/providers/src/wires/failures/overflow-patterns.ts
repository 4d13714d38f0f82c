/** Error messages and codes of vendors for a prompt that is too long. */
const OVERFLOW: readonly RegExp[] = [
  /prompt is too long/i, // Anthropic
  /request_too_large/i, // Anthropic, by bytes
  /exceed context limit: \d+/i, // Anthropic, prompt and reply together
  /input is too long for requested model/i, // Bedrock
  /exceeds the context window/i, // OpenAI
  /input token count.*exceeds the maximum/is, // Google
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
];

/** Similar wording in errors about the rate of requests. */
const RATE = /rate limit|too many requests|tokens per (minute|day)|throttl/i;

export function isOverflow(text: string): boolean {
  return !RATE.test(text) && OVERFLOW.some((pattern) => pattern.test(text));
}
