import type { CompactProblem } from "@harness/core";
import { type ProtocolError, protocolError } from "@harness/protocol";

/** The wire names of provider failures. */
const providerKinds = [
  ["rateLimit", "rate_limit"],
  ["overflow", "context_window"],
  ["truncated", "context_window"],
  ["network", "network"],
  ["refused", "refused"],
  ["badRequest", "bad_request"],
] as const;

export function compactError({ problem, unsaved, provider }: CompactProblem): ProtocolError {
  if (unsaved) return protocolError("storage_failed", problem);
  if (provider?.kind === "auth") return protocolError("auth_required", problem, { provider: provider.id });
  const named = providerKinds.find(([kind]) => kind === provider?.kind);
  if (!provider || !named) return protocolError("conflict", problem, {});
  const { id, isPassing: retryable } = provider;
  return protocolError("provider_error", problem, { provider: id, providerKind: named[1], retryable });
}
