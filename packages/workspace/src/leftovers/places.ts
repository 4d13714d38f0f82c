import { join } from "node:path";
import type { FoundLeftover, LeftRow } from "./leftover.ts";
import { readLeftConf, readLeftObject } from "./read-left-file.ts";
import { localHarnessSettings, openRouterSettings, qdrantSettings, shellSettings } from "./settings/other-settings.ts";
import { settingsLeft } from "./settings/read-settings.ts";
import type { SettingTable } from "./settings/setting-meaning.ts";
import { tinyharnessSettings } from "./settings/tinyharness-settings.ts";

/** `home`: of the person; `programHome`: of programs that harness starts. */
export type Homes = { readonly home: string; readonly programHome: string };

/** Where another program keeps something, and how that is read. */
type LeftoverLocation = {
  readonly program: string;
  readonly kind: FoundLeftover["kind"];
  path(homes: Homes): string;
  /** Only reads. */
  read(path: string, homes: Homes): FoundLeftover[];
};

type RowReader = (path: string, home: string) => { row: LeftRow } | { problem: string } | undefined;

/** The old places of other programs. */
export const places: readonly LeftoverLocation[] = [
  settings("TinyHarness", [".config", "tinyharness", "settings.json"], tinyharnessSettings),
  settings("zdql/harness", [".agent-harness", "settings.json"], openRouterSettings),
  {
    ...settings("hs", [], shellSettings, readLeftConf),
    path: ({ programHome }) => join(programHome, "settings.conf"),
  },
  settings("Local Harness", [".config", "localharness", "config.json"], localHarnessSettings),
  settings("the harness with Qdrant", [".harness", "config.json"], qdrantSettings),
];

function settings(
  program: string,
  names: readonly string[],
  table: SettingTable,
  readRow: RowReader = readLeftObject,
): LeftoverLocation {
  return {
    program,
    kind: "setting",
    path: ({ home }) => join(home, ...names),
    read(path, { home }) {
      const read = readRow(path, home);
      if (!read) return [];
      if ("problem" in read) return [{ program, kind: "setting", path, name: "", why: read.problem }];
      return settingsLeft({ program, path, row: read.row, table });
    },
  };
}
