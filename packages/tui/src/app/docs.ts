// "@harness/tui/docs": the tables that help and pages are made of. Loads no view: it runs under plain Node.

import { pictureKeys } from "../attachments/picture-scope.ts";
import { commandPurpose, commandUsage, knownCommands } from "../commands/command-list.ts";
import { messageKeys } from "../composer/composer-scope.ts";
import { ownCommandDocs } from "../composer/read-shell.ts";
import { permissionKeys } from "../dialogs/permission/permission-keys.ts";
import { questionKeys } from "../dialogs/question/question-keys.ts";
import { reviewKeys } from "../dialogs/review/review-keys.ts";
import { trustKeys } from "../dialogs/trust/trust-controller.ts";
import { findKeys } from "../find/find-controller.ts";
import { keyLabel } from "../keymap/key-name.ts";
import type { KeyTable } from "../keymap/key-table.ts";
import { inputKeys, listKeys, transcriptKeys } from "../keymap/shared-keys.ts";
import { chatKeys, windowKeys } from "../keymap/window-keys.ts";
import { agentKeys } from "../overlays/agents/agent-controller.ts";
import { keyListKeys } from "../overlays/keys/keys-controller.ts";
import { modelKeys } from "../overlays/models/model-controller.ts";
import { setupKeys } from "../overlays/models/setup-controller.ts";
import { processKeys } from "../overlays/processes/process-controller.ts";
import { rewindKeys } from "../overlays/rewind/rewind-controller.ts";
import { sheetKeys } from "../overlays/sheets/sheet-keys.ts";
import { screens } from "../screens/index.ts";
import type { ScreenRow } from "../screens/screen.ts";
import type { AppState } from "../state/app-state.ts";
import type { HelpTables } from "../state/overlay.ts";
import { markingKeys } from "./marking.ts";
import { screenKeys } from "./navigation.ts";

const screenRows: readonly ScreenRow[] = Object.values(screens);

/** Every key of the window, in the order help shows them. */
export const keyTables: readonly KeyTable[] = [
  ...[
    inputKeys,
    pictureKeys,
    transcriptKeys,
    windowKeys,
    screenKeys,
    messageKeys,
    chatKeys,
    findKeys,
    markingKeys,
    permissionKeys,
    reviewKeys,
    questionKeys,
    listKeys,
  ],
  ...screenRows.flatMap(({ keys }) => keys),
  ...[modelKeys, setupKeys, keyListKeys, sheetKeys, agentKeys, rewindKeys, processKeys, trustKeys],
];

/** Title, key, purpose. */
export function screenDocs(): string[][] {
  return screenRows.map(({ title, key, reachedBy = "", purpose }) => [title, key ? keyLabel(key) : reachedBy, purpose]);
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

/** The tables of the help sheet; commands include those of the server. */
export function helpTables(state: Pick<AppState, "serverCommands">): HelpTables {
  const commands = [...knownCommands(state).map(usageOf), ...ownCommandDocs];
  return { commands, screens: screenDocs(), keys: keyDocs() };
}
