import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConfigPaths } from "../config-paths.ts";

/** Settings of other local agents, below the home folder. */
const FILES: readonly string[] = [
  ".config/tinyharness/settings.json",
  ".config/localharness/config.json",
  ".config/localharness/policies.json",
  ".harness/config.json",
  ".harness/settings.conf",
];

/** Their variables, with the equivalents here. */
const VARIABLES: Readonly<Record<string, string>> = {
  FILESYSTEM_ROOT: "start harness in that folder",
  QDRANT_URL: "it has no use here",
  QDRANT_HOST: "it has no use here",
  DEBUG_TOOLS: "use /inspect",
  DEBUG_CONTEXT: "use /context",
  HARNESS_MEMORY_LOG: "it has no use here",
};

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Settings of other local agents that the user may expect to apply, one sentence each. Only until harness has its own
 * settings file or a session.
 */
export function unreadSettings({ settings, conversations }: ConfigPaths, env: Env): string[] {
  if (existsSync(settings) || existsSync(conversations)) return [];
  const { HOME: home } = env;
  const files = home ? FILES.map((name) => join(home, name)).filter((path) => existsSync(path)) : [];
  const variables = Object.keys(VARIABLES).filter((name) => env[name]?.trim());
  return [
    ...(files.length === 0
      ? []
      : [
          `Not read, because these are settings of another program: ${files.join(", ")}. Those of harness are in ${settings}; harness setup asks for the first ones.`,
        ]),
    ...(variables.length === 0
      ? []
      : [
          `Not read, because these are variables of another program: ${variables.map((name) => `${name} (${VARIABLES[name]})`).join(", ")}.`,
        ]),
  ];
}
