import type { ModelRequest } from "@harness/core";
import type { RepairKind } from "@harness/protocol";
import type { Refusal } from "../wires/failures/explained.ts";
import type { WireProvider } from "../wires/wire-api.ts";

/** When to send a refused request once more in a different form. */
export type SecondTry = {
  refusal: Refusal;
  what: RepairKind;
  /**
   * The form of requests that the first provider refused: later requests with the same key go to the second one at
   * once. Undefined if there is no other form.
   */
  key(request: ModelRequest): string | undefined;
  /** A sentence for people. */
  detail(request: ModelRequest): string;
};

/**
 * Sends to `first` until it refuses in that way, then to `second`: the refused request, and every later one with the
 * same key. A `repair` event reports it. If the second one fails too, its failure is shown.
 */
export function withSecondTry(first: WireProvider, second: WireProvider, retry: SecondTry): WireProvider {
  const refusedBefore = new Set<string>();
  return {
    id: first.id,
    async *stream(request, signal) {
      const key = retry.key(request);
      if (key === undefined || !refusedBefore.has(key)) {
        let isRefused = false;
        for await (const event of first.stream(request, signal)) {
          isRefused = key !== undefined && event.type === "failed" && event.refusal === retry.refusal;
          if (!isRefused) yield event;
        }
        if (key === undefined || !isRefused) return;
        refusedBefore.add(key);
        yield { type: "repair", what: retry.what, detail: retry.detail(request) };
      }
      yield* second.stream(request, signal);
    },
  };
}
