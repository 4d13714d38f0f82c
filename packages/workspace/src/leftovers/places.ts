import { join } from "node:path";
import type { FoundLeftover, LeftRow } from "./leftover.ts";
import { readLeftConf, readLeftObject } from "./read-left-file.ts";
import { policiesLeft } from "./read-policies.ts";
import { sessionsLeft } from "./read-sessions.ts";
import { agentsLeft, promptsLeft } from "./read-texts.ts";
import { localHarnessSettings, openRouterSettings, qdrantSettings, shellSettings } from "./settings/other-settings.ts";
import { settingsLeft } from "./settings/read-settings.ts";
import type { SettingTable } from "./settings/setting-meaning.ts";
import { tinyharnessSettings } from "./settings/tinyharness-settings.ts";

/**
 * `home`: the user's; `programHome`: that of programs started by harness; `taken`: the files of sessions imported
 * before.
 */
export type Homes = { readonly home: string; readonly programHome: string; readonly taken: ReadonlySet<string> };

/** A place where another program keeps something, and how to read it. */
type LeftoverLocation = {
  readonly program: string;
  path(homes: Homes): string;
  /** Changes nothing. */
  read(path: string, homes: Homes): FoundLeftover[];
};

type RowReader = (path: string, home: string) => { row: LeftRow } | { problem: string } | undefined;

/** The places of other programs. */
export const places: readonly LeftoverLocation[] = [
  settings("TinyHarness", [".config", "tinyharness", "settings.json"], tinyharnessSettings),
  settings("zdql/harness", [".agent-harness", "settings.json"], openRouterSettings),
  {
    ...settings("hs", [], shellSettings, readLeftConf),
    path: ({ programHome }) => join(programHome, "settings.conf"),
  },
  settings("Local Harness", [".config", "localharness", "config.json"], localHarnessSettings),
  settings("the harness with Qdrant", [".harness", "config.json"], qdrantSettings),
  below("Local Harness", [".config", "localharness", "policies.json"], policiesLeft),
  below("Local Harness", [".config", "localharness", "agents"], agentsLeft),
  below("TinyHarness", [".config", "tinyharness", "prompts"], promptsLeft),
  sessions("TinyHarness", [".local", "share", "tinyharness", "sessions"]),
  sessions("zdql/harness", [".agent-harness", "conversations"]),
  sessions("zdql/harness", [".config", "harness", "conversations"]),
];

function below(
  program: string,
  names: readonly string[],
  read: (path: string, home: string) => FoundLeftover[],
): LeftoverLocation {
  return { program, path: ({ home }) => join(home, ...names), read: (path, { home }) => read(path, home) };
}

function sessions(program: string, names: readonly string[]): LeftoverLocation {
  return {
    program,
    path: ({ home }) => join(home, ...names),
    read: (path, homes) => sessionsLeft(program, path, homes),
  };
}

function settings(
  program: string,
  names: readonly string[],
  table: SettingTable,
  readRow: RowReader = readLeftObject,
): LeftoverLocation {
  return {
    program,
    path: ({ home }) => join(home, ...names),
    read(path, { home }) {
      const read = readRow(path, home);
      if (!read) return [];
      if ("problem" in read) return [{ program, kind: "setting", path, name: "", why: read.problem }];
      return settingsLeft({ program, path, row: read.row, table });
    },
  };
}
