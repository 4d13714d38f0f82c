import { emptyFilter, type GitSetting, quietGit, readRepositoryFilters, settingVariables } from "@harness/host";
import { settingsElsewhere } from "../git/repository-paths.ts";

const quiet = {
  ...quietGit,
  GIT_OPTIONAL_LOCKS: "0",
  PAGER: "cat",
  GIT_EDITOR: "false",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
};

/** Settings of a repository that could run programs, or read or show more than requested. */
const switchedOff: readonly GitSetting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.askPass", ""],
  ["safe.bareRepository", "explicit"],
  ["protocol.ext.allow", "never"],
  ["diff.external", ""],
  ["diff.autoRefreshIndex", "false"],
  ["diff.submodule", "short"],
  ["diff.orderFile", "/dev/null"],
  ["log.showSignature", "false"],
  ["log.diffMerges", "separate"],
  ["stash.showPatch", "false"],
  ["stash.showIncludeUntracked", "false"],
  ["status.submoduleSummary", "false"],
  ["submodule.recurse", "false"],
  ["grep.fallbackToNoIndex", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
];

/** No real repository has more. */
const MAX_FILTERS = 100;
const TIMEOUT_MS = 5_000;

/**
 * The variables with which a reading git command starts no program named in the repository's settings; filters in the
 * user's own settings (git-lfs) stay. Asking git for the names of its settings runs nothing.
 */
export async function gitVariables(
  git: string,
  { cwd, roots, env }: { cwd: string; roots: readonly string[]; env: Readonly<Record<string, string>> },
): Promise<readonly GitSetting[] | { problem: string }> {
  const asking = { cwd, env: { ...env, ...Object.fromEntries(variablesOf(switchedOff)) }, timeoutMs: TIMEOUT_MS };
  const [found, elsewhere] = await Promise.all([
    readRepositoryFilters(git, asking),
    settingsElsewhere(git, asking, roots),
  ]);
  if ("problem" in elsewhere) return elsewhere;
  if (!found) {
    return {
      problem: "git could not tell its settings here (or is older than 2.31), so it was not run without asking.",
    };
  }
  if (found.filters.size > MAX_FILTERS)
    return { problem: "The repository's settings name too many filters to switch off." };
  return variablesOf([...switchedOff, ...elsewhere.settings, ...[...found.filters].flatMap(emptyFilter)]);
}

function variablesOf(settings: readonly GitSetting[]): GitSetting[] {
  return [...Object.entries(quiet), ...Object.entries(settingVariables(settings))];
}
