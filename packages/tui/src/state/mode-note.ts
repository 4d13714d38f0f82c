import { type Modes, modeSentence, modeWords } from "@harness/client/actions";
import type { KeySentence } from "../keymap/key-labels.ts";

/** The effect of the chosen mode, and the key for the next one. */
export function modeNote(modes: Modes, after: Modes): KeySentence {
  const { word } = modeWords(after);
  return (keys) => `${modeSentence(modes)}${keys.say("chat.permissionMode", (key) => ` ${key}: ${word}.`)}`;
}
