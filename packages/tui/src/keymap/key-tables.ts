import { permissionKeys, questionKeys, reviewKeys, trustKeys } from "./dialog-keys.ts";
import type { KeyTable } from "./key-table.ts";
import {
  agentKeys,
  keyListKeys,
  modelKeys,
  processKeys,
  rewindKeys,
  setupKeys,
  sheetKeys,
  themeKeys,
} from "./overlay-keys.ts";
import { credentialKeys, historyKeys, homeKeys, screenKeys, settingsKeys } from "./screen-keys.ts";
import { composingKeys, listKeys, pictureKeys, textKeys, transcriptKeys } from "./shared-keys.ts";
import { chatKeys, findKeys, markingKeys, messageKeys, windowKeys } from "./window-keys.ts";

/** Every key of the window, in the order of help: what a newcomer needs first, shell-like text editing last. */
export const keyTables = [
  ...[windowKeys, chatKeys, messageKeys, composingKeys, pictureKeys, screenKeys, transcriptKeys, findKeys, markingKeys],
  ...[permissionKeys, reviewKeys, questionKeys, listKeys, homeKeys, settingsKeys, credentialKeys, historyKeys],
  ...[modelKeys, setupKeys, themeKeys, keyListKeys, sheetKeys, agentKeys, rewindKeys, processKeys, trustKeys, textKeys],
] as const;

/** "settings: providers" are `providers.login` and so on. */
type NameOf<Table> =
  Table extends KeyTable<infer Id, infer Where>
    ? `${Where extends `${string}: ${infer Last}` ? Last : Where}.${Id}`
    : never;

/** The effect of a key, by its name in `keys.json` (`chat.agents`). */
export type ActionName = NameOf<(typeof keyTables)[number]>;
