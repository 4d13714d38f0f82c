import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Environment,
  type HarnessFacts,
  harnessVariables,
  namedVariables,
  programEnvironment,
} from "@harness/host";
import type { ConfigPaths } from "@harness/storage";
import type { FolderSettings } from "../settings/folder-settings.ts";
import type { FolderSources } from "../sources/folder-sources.ts";

type ProgramEnvironmentDeps = {
  version: string;
  configPaths: ConfigPaths;
  /** The real environment: a project's `.env` reaches no program. */
  env: Environment;
  /** The settings and sources of a folder: a program may run in a worktree of the session's folder. */
  at(cwd: string): { settings: Pick<FolderSettings, "values">; sources: Pick<FolderSources, "current"> };
};

/**
 * The environment of a foreign program in a folder; `facts`: further facts; `declared`: variables that the program
 * declares itself.
 */
export type ProgramEnvironment = (
  cwd: string,
  facts?: Partial<HarnessFacts>,
  declared?: readonly string[],
) => Record<string, string>;

/**
 * An allow-list of variables, so that a program gets no key that the user has not granted, plus harness's own. The
 * setting `pass_env` may come from a project, so it does not pass secrets to programs either.
 */
export function programEnvironmentOf(deps: ProgramEnvironmentDeps): ProgramEnvironment {
  const { version, configPaths, env, at } = deps;
  let root: string | undefined;
  return (cwd, facts = {}, declared = []) => {
    root ??= installationFolder();
    const { settings, sources } = at(cwd);
    const { values } = settings;
    const named = Object.keys(namedVariables(values.pass_env, env, { places: false }).passed);
    const ours = harnessVariables({
      version,
      root,
      home: configPaths.programHome,
      config: configPaths.root,
      sessions: configPaths.conversations,
      sources: sources.current.sources.map(({ folder }) => folder),
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
