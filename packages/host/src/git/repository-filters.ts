import { gitOutput } from "./run-git.ts";

/** A git setting for one run. */
export type GitSetting = readonly [key: string, value: string];

/**
 * Names defined by a repository's own configuration, without values. Filters are programs that git runs on contents.
 */
export type RepositoryFilters = {
  filters: ReadonlySet<string>;
  /** It includes other files, which can change independently. */
  includes: boolean;
};

const NAMES = "^(filter|lfs\\.extension|include|includeif|core\\.fsmonitor$)";

/** Settings as the environment variables in which git accepts them (git-config(1), since 2.31). */
export function settingVariables(settings: readonly GitSetting[]): Record<string, string> {
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(numbered) };
}

/** The settings that disable a filter. */
export function emptyFilter(name: string): GitSetting[] {
  return [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ];
}

/**
 * Reads the filters defined by a repository, not those in the user's own configuration (git-lfs). This runs no program.
 * `env` must contain our own settings. Undefined if git fails, or does not list them (before 2.31).
 */
export async function readRepositoryFilters(
  command: string,
  { cwd, env, timeoutMs }: { cwd: string; env: Readonly<Record<string, string>>; timeoutMs: number },
): Promise<RepositoryFilters | undefined> {
  const args = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", NAMES];
  const output = await gitOutput({ command, args, cwd, env, timeoutMs, maxOutputBytes: 1 << 20 });
  return output === undefined ? undefined : filtersOf(output.split("\0"));
}

/** Scopes and names alternate. */
function filtersOf(words: readonly string[]): RepositoryFilters | undefined {
  const filters = new Set<string>();
  let includes = false;
  let isHeard = false;
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope = "", name = ""] = words.slice(at, at + 2);
    if (scope === "command") isHeard = true;
    if (scope === "command" || scope === "global" || scope === "system") continue;
    const filter = /^filter\.(.+)\.[^.]+$/s.exec(name)?.[1];
    if (filter !== undefined) filters.add(filter);
    // Programs that git-lfs, itself a filter, would run.
    if (name.startsWith("lfs.extension.")) filters.add("lfs");
    if (name.startsWith("include")) includes = true;
  }
  return isHeard ? { filters, includes } : undefined;
}
