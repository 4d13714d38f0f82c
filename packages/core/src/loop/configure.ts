import type { Fact, SessionConfig } from "@harness/protocol";
import type { Scope } from "./turn/scope.ts";

/**
 * Changes the configuration of the session. Permission requests that are open under another mode are reevaluated; model
 * requests use the new configuration from the next one on.
 */
export function configure(
  { calls }: Pick<Scope, "calls">,
  record: (update: Fact) => unknown,
  config: SessionConfig,
  reason: string | undefined,
): void {
  record({ sessionUpdate: "config_option_update", config, ...(reason ? { reason } : {}) });
  // The gate has not seen a fact that could not be stored.
  calls.gate.modeChanged();
}
