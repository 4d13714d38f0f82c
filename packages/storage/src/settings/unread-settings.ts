import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConfigPaths } from "../config-paths.ts";

/** Variables of other local agents, with the equivalents here. */
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
 * A sentence on variables of other local agents that the user may expect to apply. Only until harness has its own settings file or
 * a session, or the person has answered what is to be taken over.
 */
export function unreadSettings({ root, settings, conversations }: ConfigPaths, env: Env): string[] {
  if ([settings, conversations, join(root, "imports.json")].some((path) => existsSync(path))) return [];
  const variables = Object.keys(VARIABLES).filter((name) => env[name]?.trim());
  if (variables.length === 0) return [];
  const named = variables.map((name) => `${name} (${VARIABLES[name]})`).join(", ");
  return [`Not read, because these are variables of another program: ${named}.`];
}
