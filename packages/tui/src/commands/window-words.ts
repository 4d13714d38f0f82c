import type { FrontWords } from "@harness/client/commands";
import { hints, type KeyLabels } from "../keymap/key-labels.ts";

/** The window's wording for what it does, with the current keys. */
export function windowWords(keys: KeyLabels): FrontWords {
  const does = [keys.hint("providers.begin", "types a key or logs in"), keys.hint("providers.remove", "removes it")];
  const named = hints(...does);
  const at = keys.say("anywhere.settings", (key) => `Settings (${key})`, "/settings");
  const newLine = keys.all("input.newline");
  return {
    logins: `Keys and logins are in ${at}, at the providers${named === "" ? "" : ` (${named})`}. In a shell: harness auth.`,
    newLine: `${newLine === "" ? "" : `${newLine}, or `}\\ before the key that sends: a new line begins. No set-up is needed.`,
    pasteImage: keys.say("input.pasteImage", (key) => `, ${key} that of the clipboard`),
    stopTurn: keys.say("anywhere.escape", (key) => ` ${key} stops the turn.`),
    themed: (name) => `The theme is now ${name}.`,
  };
}
