// "@harness/tui/docs": the tables for help and pages. Loads no view: it runs under plain Node.

import { commandPurpose, commandUsage, knownCommands } from "../commands/command-list.ts";
import { ownCommandDocs } from "../composer/read-shell.ts";
import { keyLabel } from "../keymap/key-name.ts";
import { keyTables } from "../keymap/key-tables.ts";
import { usualKeymap } from "../keymap/keymap.ts";
import type { HelpTables } from "../overlays/sheets/state.ts";
import { screens } from "../screens/index.ts";
import type { ScreenRow } from "../screens/screen.ts";
import type { AppState } from "../state/app-state.ts";

const screenRows: readonly ScreenRow[] = Object.values(screens);

/** Title, key, purpose. */
export function screenDocs(): string[][] {
  return screenRows.map(({ title, openedBy, purpose }) => [title, usualKeymap.names.all(openedBy), purpose]);
}

/** Usage, description. */
export function commandDocs(): string[][] {
  return [...knownCommands({ serverCommands: [] }).map(usageOf), ...ownCommandDocs];
}

function usageOf(command: Parameters<typeof commandUsage>[0]): string[] {
  return [commandUsage(command), commandPurpose(command)];
}

/** Keys, where, what. */
export function keyDocs(): string[][] {
  return keyTables.flatMap(({ where, rows }) =>
    rows.map(({ keys, doc }) => [keys.map(keyLabel).join(", "), where, doc]),
  );
}

/** The tables of the help sheet; commands include the server's. */
export function helpTables(state: Pick<AppState, "serverCommands">): HelpTables {
  return { commands: [...knownCommands(state).map(usageOf), ...ownCommandDocs], screens: screenRows };
}
