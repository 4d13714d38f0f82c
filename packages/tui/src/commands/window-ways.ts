import type { FrontWords } from "@harness/client/actions";
import { hints, type KeyNames } from "../keymap/key-names.ts";

/** How the window does what other agents have a command for. */
export function windowWays(keys: KeyNames): FrontWords {
  const does = [keys.hint("providers.begin", "types a key or logs in"), keys.hint("providers.remove", "removes it")];
  const named = hints(...does);
  const at = keys.say("anywhere.settings", (key) => `Settings (${key})`, "/settings");
  const newLine = keys.all("input.newline");
  return {
    logins: `Keys and logins are in ${at}, at the providers${named === "" ? "" : ` (${named})`}. In a shell: harness auth.`,
    newLine: `${newLine === "" ? "" : `${newLine}, or `}\\ before the key that sends: a new line begins. No set-up is needed.`,
  };
}
