import { isAbsolute, join, resolve } from "node:path";

/** The locations of everything that harness stores, as absolute paths. */
export type ConfigPaths = {
  root: string;
  settings: string;
  conversations: string;
  logs: string;
  /** For what is made from other files, and may be deleted at any time. */
  cache: string;
  /** The folder that extension programs see as `HARNESS_HOME`. */
  programHome: string;
};

/**
 * `HARNESS_HOME` if set, else `harness` below `XDG_CONFIG_HOME` or `~/.config`. A relative `XDG_CONFIG_HOME` is
 * ignored, as the XDG base directory specification demands. Reads and creates nothing.
 */
export function configPathsOf(env: Readonly<Record<string, string | undefined>>, home: string): ConfigPaths {
  const root = rootOf(env, home);
  return {
    root,
    settings: join(root, "settings.json"),
    conversations: join(root, "conversations"),
    logs: join(root, "logs"),
    cache: cacheOf(env, home),
    programHome: env.HARNESS_HOME ? expandHome(env.HARNESS_HOME, home) : join(home, ".harness"),
  };
}

function rootOf(env: Readonly<Record<string, string | undefined>>, home: string): string {
  // Extension programs get the first one, so that a harness started by them uses this configuration.
  const own = env.HARNESS_CONFIG_HOME || env.HARNESS_HOME;
  if (own) return expandHome(own, home);
  const xdg = env.XDG_CONFIG_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".config"), "harness");
}

/** Below the configuration if the person has moved that; else `harness` below `XDG_CACHE_HOME` or `~/.cache`. */
function cacheOf(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const own = env.HARNESS_CONFIG_HOME || env.HARNESS_HOME;
  if (own) return join(expandHome(own, home), "cache");
  const xdg = env.XDG_CACHE_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".cache"), "harness");
}

/** No shell expands a `~` in a .env file. */
function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(path);
}
