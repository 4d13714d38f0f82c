import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceInventory } from "@harness/extensions";
import {
  type Environment,
  type HarnessFacts,
  harnessVariables,
  namedVariables,
  programEnvironment,
} from "@harness/host";
import type { ConfigPaths } from "@harness/storage";
import type { SettingsStore } from "../settings/settings-store.ts";

type ProgramEnvironmentDeps = {
  version: string;
  configPaths: ConfigPaths;
  /** The real environment: a project's `.env` reaches no program. */
  env: Environment;
  sources: Pick<SourceInventory, "at">;
  settings: SettingsStore;
};

/**
 * The environment of a program that somebody brings along, in a folder; `facts`: what is known besides; `declared`:
 * variables that the program names itself.
 */
export type ProgramEnvironment = (
  cwd: string,
  facts?: Partial<HarnessFacts>,
  declared?: readonly string[],
) => Record<string, string>;

/**
 * Variables by an allow-list, so that no key reaches such a program that the person has not named, and those of harness. The setting
 * `pass_env` may be a project's: it passes on no secret to programs either.
 */
export function programEnvironmentOf(deps: ProgramEnvironmentDeps): ProgramEnvironment {
  const { version, configPaths, env, sources, settings } = deps;
  let root: string | undefined;
  return (cwd, facts = {}, declared = []) => {
    root ??= installationFolder();
    const { values } = settings.live(cwd);
    const named = Object.keys(namedVariables(values.pass_env, env, { places: false }).passed);
    const ours = harnessVariables({
      version,
      root,
      home: configPaths.seedHome,
      config: configPaths.root,
      sessions: configPaths.conversations,
      sources: sources.at(cwd).sources.map(({ folder }) => folder),
      cwd,
      log: configPaths.logs,
      maxTurns: values.max_turns,
      ...facts,
    });
    return programEnvironment(env, [...named, ...declared], ours);
  };
}

/** The folder that harness is installed in. */
function installationFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "bin", "harness")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
