import { type Fact, ROOT_AGENT, type SessionConfig } from "@harness/protocol";
import type { Scope } from "./turn/scope.ts";

type ConfigureDeps = Pick<Scope, "agents" | "calls" | "journal" | "requests" | "settings">;

/**
 * Changes the configuration of the session. Permission requests that were opened in a different mode are reevaluated;
 * model requests use the new configuration from the next one on.
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

/** Adopts settings that were changed while the session is open; everything else reads them when it needs them. */
export function followSettings(
  { settings, journal, requests, calls, agents }: ConfigureDeps,
  { mayLoosen }: { mayLoosen: boolean },
): void {
  const changed = settings.notice({ mayLoosen });
  if (!changed) return;
  requests.models.forget();
  for (const { models } of agents.values()) models.forget();
  const { permissionMode } = changed;
  if (permissionMode === undefined) return;
  const record = (update: Fact) => journal.record({ agentId: ROOT_AGENT, update });
  configure({ calls }, record, { permissionMode }, `The setting permission_mode is ${permissionMode} now.`);
}
