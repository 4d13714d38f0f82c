import type { WireProvider } from "../wires/wire-api.ts";

/**
 * Sends to `native` until it reports that a model has no support for tools; requests with tools to that model then go
 * to `prompted`, which offers them in the prompt. The refused request is sent again, and a `repair` event reports it.
 */
export function withToolFallback(native: WireProvider, prompted: WireProvider): WireProvider {
  const without = new Set<string>();
  return {
    id: native.id,
    async *stream(request, signal) {
      if (request.tools.length === 0 || !without.has(request.model)) {
        let refused = false;
        for await (const event of native.stream(request, signal)) {
          refused = request.tools.length > 0 && event.type === "failed" && event.refusal === "no_tools";
          if (!refused) yield event;
        }
        if (!refused) return;
        without.add(request.model);
        const detail = `${request.model} does not support tools: they are offered in the prompt.`;
        yield { type: "repair", what: "no_native_tools", detail };
      }
      yield* prompted.stream(request, signal);
    },
  };
}
