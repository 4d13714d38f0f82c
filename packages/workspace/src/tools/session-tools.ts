import { coreToolNames, type LiveTools, type NamedTools, type Tool } from "@harness/core";
import type { RuleTool, SessionRules } from "@harness/gate";
import type { SessionConfig } from "@harness/protocol";
import { type BackgroundProcesses, builtinTools, type Sandbox } from "@harness/tools";
import type { ProviderCredentials } from "../credentials/provider-credentials.ts";
import type { EgressGuard } from "../egress/egress-guard.ts";
import { folderEnvironment } from "../environment/folder-environment.ts";
import type { Executables } from "../executables/open-executables.ts";
import type { LastingRules } from "../permissions/lasting-rules.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { executableTools } from "./executable-tools.ts";
import { type AddedTools, liveTools } from "./live-tools.ts";
import { noteNewFiles } from "./note-new-files.ts";
import { passedVariables } from "./passed-variables.ts";
import { redactResults } from "./redact-results.ts";
import { webAccess } from "./web-access.ts";

type Env = Readonly<Record<string, string | undefined>>;

type SessionToolsDeps = {
  settings: SettingsStore;
  credentials: ProviderCredentials;
  egress: EgressGuard;
  policies: LastingRules;
  /** The real environment. */
  env: Env;
  /** The environment with the `.env` files of a folder. */
  inspect(folder: string): { env: Env };
  programs: Executables;
};

/** The parts of the session that the tools are for. */
export type SessionToolOptions = {
  rules: SessionRules;
  sandbox: Sandbox;
  processes: BackgroundProcesses;
  /** Where the session is stored; undefined: it leaves nothing behind. */
  sessionFolder: string | undefined;
  /** The current choices of the session. */
  config(): SessionConfig;
  /** The tools of MCP servers. */
  mcp: AddedTools;
  /** Tells the person what is not as their settings say. */
  warn(title: string, description: string): void;
};

/** The tools of a session in a folder. */
export type SessionTools = {
  /** The names that are there now. */
  listed(folder: string): NamedTools & { readonly tools: readonly RuleTool[] };
  /** The tool that runs commands; undefined: there is none. */
  shell(folder: string): string | undefined;
  /** Those that come with harness. */
  builtin(folder: string): readonly Tool[];
  /** The tools that rules may name, including those of any folder that a session was in. */
  forRules(folders: readonly string[]): RuleTool[];
  /** The tools of a session, which may change while it is open. */
  of(folder: string, options: SessionToolOptions): LiveTools;
};

export function sessionTools(deps: SessionToolsDeps): SessionTools {
  const { settings, credentials, egress, policies, env, inspect, programs } = deps;
  const { executables } = programs;
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
      get fileEncoding() {
        return values().file_encoding;
      },
      get extraEnv() {
        return passedVariables(settings.live(folder), env).passed;
      },
      web,
      folderEnv: folderEnvironment(folder, programs.environments, of),
      ...(of ? { sandbox: of.sandbox, processes: of.processes } : {}),
    });
  };
  const forRules = (folders: readonly string[]): RuleTool[] => {
    const listed = folders.flatMap((folder) => [...builtin(folder).tools, ...executables.names(folder).map(named)]);
    const all = [...listed, ...executables.everyName().map(named), ...coreToolNames.map(named)];
    const byName = new Map<string, RuleTool>();
    for (const tool of all) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    return [...byName.values()];
  };
  return {
    listed(folder) {
      const { tools, aliases } = builtin(folder);
      const known = new Set(tools.map(({ name }) => name));
      const added = executables.names(folder).filter((name) => !known.has(name));
      return { tools: [...tools, ...added.map(named)], aliases };
    },
    shell: (folder) => builtin(folder).tools.find(({ subject }) => subject === "argv")?.name,
    builtin: (folder) => builtin(folder).tools,
    forRules,
    of(folder, options) {
      // Keys may be added while the session is open.
      const redactor = () => credentials.redactor(inspect(folder).env);
      const table = builtin(folder, options);
      const own = executableTools(folder, options, { programs, builtin: table, settings });
      const files = programs.newFiles(folder);
      const live = liveTools(table, [own, options.mcp], (tool) => noteNewFiles(redactResults(tool, redactor), files));
      return { ...live, forRules: () => forRules([folder]) };
    },
  };
}

const named = (name: string): RuleTool => ({ name });
