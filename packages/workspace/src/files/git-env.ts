import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathOutside } from "@harness/gate";
import {
  DEFAULT_PATH,
  emptyFilter,
  type GitSetting,
  quietGit,
  readRepositoryFilters,
  realPathOrSame,
  settingVariables,
} from "@harness/host";
import { commonDir, findRepository } from "./git-state.ts";

/** The variables passed to git: no GIT_DIR or GIT_INDEX_FILE of a caller, no editor, no pager, no askpass. */
const passedOn = ["PATH", "HOME", "XDG_CONFIG_HOME", "LANG", "LC_ALL", "TMPDIR"];

const switchedOff: readonly GitSetting[] = [
  // `git diff` would rewrite the index, which GIT_OPTIONAL_LOCKS does not prevent (git 2.39).
  ["diff.autoRefreshIndex", "false"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["safe.bareRepository", "explicit"],
];

/** For git commands in a folder that run no filters. Git before 2.31 ignores these settings. */
export function gitEnv(cwd: string, settings: readonly GitSetting[] = switchedOff): Record<string, string> {
  const env: Record<string, string> = { ...quietGit, GIT_OPTIONAL_LOCKS: "0", ...settingVariables(settings) };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  // A `git` in the repository's own program folder is not the user's.
  env.PATH = pathOutside(env.PATH ?? "", [cwd], realPathOrSame) || DEFAULT_PATH;
  return env;
}

/** A limit for repositories with absurdly many drivers, because the environment of a process is limited. */
const MAX_FILTERS = 100;

/** The number of repositories whose configuration is cached. */
const MAX_KNOWN = 50;

type CachedGitSettings = { configState: string; settings: readonly GitSetting[] };

/** Environments for asking git about repositories without running programs that they name. */
export class GitEnvironments {
  readonly #known = new Map<string, CachedGitSettings>();

  /**
   * The environment for `git status` and `git diff` in a folder: no program named in the repository's own configuration
   * runs, while filters in the user's configuration (git-lfs) stay. Undefined outside a repository, or if it cannot be
   * determined; git must not be asked then. Reading the configuration runs nothing, and is repeated when it has
   * changed.
   */
  async withoutFilters(cwd: string, timeoutMs: number): Promise<Record<string, string> | undefined> {
    const repository = await findRepository(cwd);
    if (!repository) return undefined;
    const { root, gitDir } = repository;
    const configState = await stateOfConfig(gitDir);
    const known = this.#known.get(gitDir);
    if (known?.configState === configState) return gitEnv(root, known.settings);
    const found = await readRepositoryFilters("git", { cwd, env: gitEnv(root), timeoutMs });
    if (!found || found.filters.size > MAX_FILTERS) return undefined;
    const settings = [...switchedOff, ...[...found.filters].flatMap(emptyFilter)];
    this.#known.delete(gitDir);
    // Included files can change while the configuration stays the same.
    if (!found.includes) this.#known.set(gitDir, { configState, settings });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return gitEnv(root, settings);
  }
}

/** Changes whenever a configuration file of the repository is written or replaced. */
async function stateOfConfig(gitDir: string): Promise<string> {
  const common = await commonDir(gitDir);
  const paths = [join(common, "config"), join(common, "config.worktree"), join(gitDir, "config.worktree")];
  const states = paths.map(async (path) => {
    const info = await stat(path, { bigint: true }).catch(() => undefined);
    return info ? `${info.dev} ${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}` : "";
  });
  return (await Promise.all(states)).join("\n");
}
