import { type Modes, modeSentence, modeWords } from "@harness/client/actions";
import type { KeySentence } from "../keymap/key-names.ts";

/** What the mode that was chosen does, and the key for the one after it. */
export function modeNote(modes: Modes, after: Modes): KeySentence {
  const { word } = modeWords(after);
  return (keys) => `${modeSentence(modes)}${keys.say("chat.permissionMode", (key) => ` ${key}: ${word}.`)}`;
}
