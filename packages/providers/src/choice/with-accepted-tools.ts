import type { WireProvider } from "../wires/wire-api.ts";
import type { ToolVerdicts } from "./tool-verdicts.ts";

/** Halving finds one of a few hundred tools; a server that refuses everything is not asked forever. */
const MAX_TRIES = 12;

/**
 * Leaves out the tools that the server does not accept, so that one bad schema does not cost every request. A
 * `left_out` event before the end of the reply names them.
 */
export function withAcceptedTools(provider: WireProvider, verdictsOf: (model: string) => ToolVerdicts): WireProvider {
  return {
    id: provider.id,
    async *stream(request, signal) {
      const verdicts = verdictsOf(request.model);
      let offered = verdicts.begin(request);
      let reason = "";
      for (let tries = 1; ; tries += 1) {
        const { sent, leftOut } = offered;
        const acceptedRequest = sent.length === request.tools.length ? request : { ...request, tools: sent };
        let next: typeof offered | undefined;
        for await (const event of provider.stream(acceptedRequest, signal)) {
          if (event.type === "failed" && event.refusal === "tool_schema" && tries < MAX_TRIES) {
            reason = event.failure.message;
            next = verdicts.refused(request, sent, event.refusedWith ?? reason);
          }
          if (next) break;
          if (event.type === "end" && event.stop !== "cut") {
            verdicts.accepted(sent);
            if (leftOut.length > 0) yield { type: "left_out", tools: leftOut, reason };
          }
          yield event;
        }
        if (!next) return;
        offered = next;
      }
    },
  };
}
