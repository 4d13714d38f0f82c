import { existsSync } from "node:fs";
import { join } from "node:path";
import { wordList } from "@harness/protocol";
import type { ConfigPaths } from "../config-paths.ts";

/** Where other local agents keep things that `harness import` takes over, below the home folder. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  TinyHarness: [".config/tinyharness/settings.json", ".local/share/tinyharness/sessions"],
  "zdql/harness": [".agent-harness/settings.json", ".agent-harness/conversations"],
  hs: [".harness/settings.conf"],
  "Local Harness": [
    ".config/localharness/config.json",
    ".config/localharness/policies.json",
    ".config/localharness/agents",
  ],
  "the harness with Qdrant": [".harness/config.json"],
};

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
  const programs = Object.keys(PLACES).filter(
    (name) => home && PLACES[name]?.some((path) => existsSync(join(home, path))),
  );
  const variables = Object.keys(VARIABLES).filter((name) => env[name]?.trim());
  return [
    ...(programs.length === 0
      ? []
      : [`${wordList(programs, "and")} left things here: harness import lists them, asks, and takes them over.`]),
    ...(variables.length === 0
      ? []
      : [
          `Not read, because these are variables of another program: ${variables.map((name) => `${name} (${VARIABLES[name]})`).join(", ")}.`,
        ]),
  ];
}
