import type { Provider } from "@harness/core";
import type { Failure } from "@harness/protocol";

/** How servers say that a model, or the way it was started, knows no tools. */
const SAID: readonly RegExp[] = [
  /does not support (tools|(tool|function) call(s|ing))/i, // Ollama, LM Studio, vLLM, Fireworks, DeepSeek
  /support tool use/i, // OpenRouter
  /tool calling\W{1,3}is not supported/i, // Groq
  /function calling is not enabled for/i, // Gemini, Mistral
  /\btools\W{1,3}(is|are) not supported (in|by|with) this model/i, // OpenAI
  /unsupported param: tools|tools? param requires --jinja/i, // llama.cpp
  /requires --enable-auto-tool-choice/i, // vLLM
];

export const NO_TOOLS: RegExp = new RegExp(SAID.map(({ source }) => source).join("|"), "i");

/** The words of our own sentence about it, by which it is known again. */
export const CANNOT_USE_TOOLS = "cannot use tools";

export function isNoTools(failure: Failure): boolean {
  return failure.kind === "badRequest" && failure.message.includes(CANNOT_USE_TOOLS);
}

/**
 * Sends to `native`; once it says that a model knows no tools, requests with tools to that model go to `prompted`, which
 * asks for calls in words. The refused request is sent again there, and people are told.
 */
export function withToolFallback(native: Provider, prompted: Provider): Provider {
  const without = new Set<string>();
  return {
    id: native.id,
    async *stream(request, signal) {
      if (request.tools.length === 0 || !without.has(request.model)) {
        let refused = false;
        for await (const event of native.stream(request, signal)) {
          refused = request.tools.length > 0 && event.type === "failed" && isNoTools(event.failure);
          if (!refused) yield event;
        }
        if (!refused) return;
        without.add(request.model);
        const detail = `${request.model} knows no tools of its own: it is asked for calls in words.`;
        yield { type: "repair", what: "no_native_tools", detail };
      }
      yield* prompted.stream(request, signal);
    },
  };
}
