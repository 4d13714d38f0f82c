import type { Fact, SessionConfig } from "@harness/protocol";
import type { Scope } from "../loop/scope.ts";

/**
 * Changes what the session runs with. Questions that are open under another permission mode or mode are asked anew, or
 * not any more; requests go by it from the next one on.
 */
export function configure(
  { journal, gate }: Pick<Scope, "journal" | "gate">,
  record: (update: Fact) => unknown,
  config: SessionConfig,
  reason: string | undefined,
): void {
  const { permissionMode, mode } = journal.state.config;
  record({ sessionUpdate: "config_option_update", config, ...(reason ? { reason } : {}) });
  const now = journal.state.config;
  if (now.permissionMode !== permissionMode || now.mode !== mode) gate.modeChanged();
}
