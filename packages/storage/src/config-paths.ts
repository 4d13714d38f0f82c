import { isAbsolute, join, resolve } from "node:path";

/** The locations of everything that harness stores; all paths are absolute. */
export type ConfigPaths = { root: string; settings: string; conversations: string; logs: string };

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
  };
}

function rootOf(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const own = env.HARNESS_HOME;
  // A `~` in a .env file is not expanded by a shell.
  if (own === "~" || own?.startsWith("~/")) return join(home, own.slice(1));
  if (own) return resolve(own);
  const xdg = env.XDG_CONFIG_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".config"), "harness");
}
