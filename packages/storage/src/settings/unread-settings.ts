import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConfigPaths } from "../config-paths.ts";

/** Where other local agents keep what `harness import` takes over, below the home folder. */
const FILES: readonly string[] = [
  ".config/tinyharness/settings.json",
  ".agent-harness/settings.json",
  ".config/localharness/config.json",
  ".config/localharness/policies.json",
  ".harness/config.json",
  ".harness/settings.conf",
  ".config/localharness/agents",
  ".local/share/tinyharness/sessions",
  ".agent-harness/conversations",
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
 * settings file or a session, or the person has answered.
 */
export function unreadSettings({ root, settings, conversations }: ConfigPaths, env: Env): string[] {
  if ([settings, conversations, join(root, "imports.json")].some((path) => existsSync(path))) return [];
  const { HOME: home } = env;
  const files = home ? FILES.map((name) => join(home, name)).filter((path) => existsSync(path)) : [];
  const variables = Object.keys(VARIABLES).filter((name) => env[name]?.trim());
  return [
    ...(files.length === 0
      ? []
      : [`Another program left ${files.join(", ")}: harness import shows what can be taken over, and asks.`]),
    ...(variables.length === 0
      ? []
      : [
          `Not read, because these are variables of another program: ${variables.map((name) => `${name} (${VARIABLES[name]})`).join(", ")}.`,
        ]),
  ];
}
