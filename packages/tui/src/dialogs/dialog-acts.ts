import type { Dialog } from "../state/dialogs.ts";

/** Effects of an answer beyond its own dialog. */
export type DialogActs = {
  /** Stops the turn that asks, or the background agent that does. Never rejects. */
  stopTurnOf(dialog: Dialog): Promise<void>;
  /** Allows edits from now on in the session in view. */
  allowEdits(): void;
  /** Lets the user edit a text in their own editor. Never rejects. */
  editText(text: string): Promise<{ readonly text: string } | { readonly problem: string }>;
};
