import type { Fact, SessionConfig } from "@harness/protocol";
import type { Scope } from "./turn/scope.ts";

/**
 * Changes what the session runs with. Questions that are open under another permission mode or mode are asked anew, or
 * not any more; requests go by it from the next one on.
 */
export function configure(
  { calls }: Pick<Scope, "calls">,
  record: (update: Fact) => unknown,
  config: SessionConfig,
  reason: string | undefined,
): void {
  record({ sessionUpdate: "config_option_update", config, ...(reason ? { reason } : {}) });
  // A fact that could not be stored has not been shown to the gate.
  calls.gate.modeChanged();
}
