import type { ToolTable } from "@harness/core";
import type { SessionRules } from "@harness/gate";
import { type BackgroundProcesses, builtinTools, type Sandbox } from "@harness/tools";
import type { ProviderCredentials } from "../credentials/provider-credentials.ts";
import type { EgressGuard } from "../egress/egress-guard.ts";
import type { LastingRules } from "../permissions/lasting-rules.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { redactResults } from "./redact-results.ts";
import { webAccess } from "./web-access.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type SessionToolsParts = {
  settings: SettingsStore;
  credentials: ProviderCredentials;
  egress: EgressGuard;
  policies: LastingRules;
  /** The real environment. */
  env: Env;
  /** The environment with the `.env` files of a folder. */
  inspect(folder: string): { env: Env };
};

/** The parts of the session that the tools are for. */
export type SessionToolOptions = { rules: SessionRules; sandbox: Sandbox; processes: BackgroundProcesses };

/** The tools of a session in a folder; without a session they are for listing only. */
export function sessionTools(parts: SessionToolsParts): (folder: string, of?: SessionToolOptions) => ToolTable {
  const { settings, credentials, egress, policies, env, inspect } = parts;
  return (folder, of) => {
    const values = () => settings.live(folder).values;
    const web = webAccess({
      folder,
      egress,
      credentials,
      settings: values,
      env: () => inspect(folder).env,
      rules: of?.rules ?? { allow: [], deny: [] },
      policies: () => policies.at(folder).current(),
    });
    const table = builtinTools({
      get toolTimeoutMs() {
        return values().tool_timeout_ms;
      },
      get extraEnv() {
        return passedEnv(values().pass_env, env);
      },
      web,
      ...(of ? { sandbox: of.sandbox, processes: of.processes } : {}),
    });
    // Keys may be added while the session is open.
    return redactResults(table, () => credentials.redactor(inspect(folder).env));
  };
}

/** The variables that the setting names, from the real environment: a project's `.env` is not passed to commands. */
function passedEnv(names: string, env: Env): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of names.split(/[\s,]+/)) {
    const value = env[name];
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}
