import type { ModelChoice } from "../ports/provider.ts";
import type { RecordedRequest } from "./recorded-request.ts";

/** The model that a request went to, as it was chosen then. It answers nothing. */
export function recordedChoice({
  provider,
  model,
  contextWindow = 0,
  effort,
  maxOutputTokens,
  toolMode,
}: RecordedRequest): ModelChoice {
  return {
    provider: {
      id: provider,
      async *stream() {
        yield { type: "end", parts: [], stop: "cut" };
      },
    },
    model,
    contextWindow: { tokens: contextWindow, source: "setting" },
    toolMode,
    ...(effort === undefined ? {} : { effort }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}
