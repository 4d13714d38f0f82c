import type { LiveTools, ToolTable } from "@harness/core";
import type { SessionRules } from "@harness/gate";
import { type BackgroundProcesses, builtinTools, type Sandbox } from "@harness/tools";
import type { ProviderCredentials } from "../credentials/provider-credentials.ts";
import type { EgressGuard } from "../egress/egress-guard.ts";
import type { LastingRules } from "../permissions/lasting-rules.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { liveTools } from "./live-tools.ts";
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

/** The tools of a session in a folder. */
export type SessionTools = {
  /** Those that are there now, for listing. */
  listed(folder: string): ToolTable;
  /** Those of a session, which may change while it is open. */
  of(folder: string, options: SessionToolOptions): LiveTools;
};

export function sessionTools(parts: SessionToolsParts): SessionTools {
  const { settings, credentials, egress, policies, env, inspect } = parts;
  const builtin = (folder: string, of?: SessionToolOptions) => {
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
    return builtinTools({
      get toolTimeoutMs() {
        return values().tool_timeout_ms;
      },
      get extraEnv() {
        return passedEnv(values().pass_env, env);
      },
      web,
      ...(of ? { sandbox: of.sandbox, processes: of.processes } : {}),
    });
  };
  return {
    listed: (folder) => builtin(folder),
    of(folder, options) {
      // Keys may be added while the session is open.
      const redactor = () => credentials.redactor(inspect(folder).env);
      return liveTools(builtin(folder, options), [], (tool) => redactResults(tool, redactor));
    },
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
