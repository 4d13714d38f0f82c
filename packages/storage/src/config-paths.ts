import { isAbsolute, join, resolve } from "node:path";

/** The locations of everything that harness stores; all paths are absolute. */
export type ConfigPaths = {
  root: string;
  settings: string;
  conversations: string;
  logs: string;
  /** The folder that programs of extensions find as `HARNESS_HOME`. */
  programHome: string;
};

/**
 * `HARNESS_HOME` if set, else `harness` below `XDG_CONFIG_HOME` or `~/.config`. A relative `XDG_CONFIG_HOME` is ignored,
 * as the XDG base directory specification asks. Reads nothing and makes nothing.
 */
export function configPathsOf(env: Readonly<Record<string, string | undefined>>, home: string): ConfigPaths {
  const root = rootOf(env, home);
  return {
    root,
    settings: join(root, "settings.json"),
    conversations: join(root, "conversations"),
    logs: join(root, "logs"),
    programHome: env.HARNESS_HOME ? expanded(env.HARNESS_HOME, home) : join(home, ".harness"),
  };
}

function rootOf(env: Readonly<Record<string, string | undefined>>, home: string): string {
  // Programs of extensions have the first one, so that a harness that they start keeps to this configuration.
  const own = env.HARNESS_CONFIG_HOME || env.HARNESS_HOME;
  if (own) return expanded(own, home);
  const xdg = env.XDG_CONFIG_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".config"), "harness");
}

/** A `~` in a .env file is not expanded by a shell. */
function expanded(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(path);
}
