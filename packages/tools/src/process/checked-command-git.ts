import { execFile } from "node:child_process";

type Setting = readonly [key: string, value: string];

/** No lock, no question, nothing fetched: a partial clone names the program that would fetch. */
const quiet: readonly Setting[] = [
  ["GIT_OPTIONAL_LOCKS", "0"],
  ["GIT_TERMINAL_PROMPT", "0"],
  ["GIT_PAGER", "cat"],
  ["PAGER", "cat"],
  ["GIT_EDITOR", "false"],
  ["GIT_ASKPASS", ""],
  ["SSH_ASKPASS", ""],
  ["GIT_NO_LAZY_FETCH", "1"],
  ["GIT_ALLOW_PROTOCOL", ""],
];

/** Whatever a repository's settings may name that runs, or that reads or shows more than was asked for. */
const switchedOff: readonly Setting[] = [
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
  ["status.submoduleSummary", "false"],
  ["submodule.recurse", "false"],
  ["grep.fallbackToNoIndex", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
];

/** Filters are programs that git runs over the contents of files. More than this nobody has. */
const FILTERS = "^(filter\\..*|lfs\\.extension\\..*|core\\.fsmonitor)$";
const MAX_FILTERS = 100;
const TIMEOUT_MS = 5_000;

/**
 * The variables with which a reading git command starts no program that the repository's own settings name; filters of
 * the person's own settings (git-lfs) stay. Asking git for the names of its settings runs nothing.
 */
export async function gitVariables(
  git: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly Setting[] | { problem: string }> {
  const names = await settingNames(git, cwd, { ...env, ...Object.fromEntries(variablesOf(switchedOff)) });
  if (!names) {
    return { problem: "git could not tell its settings here (or is older than 2.31), so it was not run unasked." };
  }
  if (names.length > MAX_FILTERS) return { problem: "The repository's settings name too many filters to switch off." };
  return variablesOf([...switchedOff, ...names.flatMap(emptyFilter)]);
}

function variablesOf(settings: readonly Setting[]): Setting[] {
  const numbered = settings.flatMap(([key, value], index): Setting[] => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return [...quiet, ["GIT_CONFIG_COUNT", String(settings.length)], ...numbered];
}

function emptyFilter(name: string): Setting[] {
  return [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ];
}

/** Undefined when git fails, or does not show that it has heard our own settings. */
function settingNames(git: string, cwd: string, env: Record<string, string>): Promise<string[] | undefined> {
  const args = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", FILTERS];
  return new Promise((done) => {
    execFile(git, args, { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 1 << 20 }, (error, stdout) => {
      done(error ? undefined : filtersOf(stdout.split("\0")));
    });
  });
}

/** Scopes and names take turns. */
function filtersOf(words: readonly string[]): string[] | undefined {
  const filters = new Set<string>();
  let isHeard = false;
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope = "", name = ""] = words.slice(at, at + 2);
    if (scope === "command") isHeard = true;
    if (scope === "command" || scope === "global" || scope === "system") continue;
    const filter = /^filter\.(.+)\.[^.]+$/s.exec(name)?.[1];
    if (filter !== undefined) filters.add(filter);
    // Programs that git-lfs, itself a filter, would run.
    if (name.startsWith("lfs.extension.")) filters.add("lfs");
  }
  return isHeard ? [...filters] : undefined;
}
