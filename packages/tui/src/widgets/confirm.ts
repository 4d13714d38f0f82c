import type { KeyEvent } from "../input/index.ts";
import { enterHint } from "../keymap/field-keys.ts";

/** A question before something is deleted for good: "Keep" is marked first. */
export type Confirm = { readonly yes: boolean };
export const unconfirmed: Confirm = { yes: false };

const MOVES = new Set(["left", "right", "up", "down", "tab"]);

/**
 * The effect of a key on the question: it marks the other answer, or gives the marked one. Any other key keeps, and so
 * does typed text: letters never answer.
 */
export function confirmed(key: KeyEvent, confirm: Confirm): Confirm | "yes" | "no" {
  if (MOVES.has(key.name)) return { yes: !confirm.yes };
  return key.name === "enter" && confirm.yes ? "yes" : "no";
}

/** The question with its two answers, on one line. `yes`: the verb for the action. */
export function confirmText(question: string, yes: string, confirm: Confirm): string {
  const answers = confirm.yes ? `  Keep   › ${yes}` : `› Keep     ${yes}`;
  return `${question}  ${answers}   ← → choose · ${enterHint("confirms")}`;
}
