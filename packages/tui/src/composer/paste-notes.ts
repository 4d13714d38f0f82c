import { amount } from "@harness/protocol/text";
import type { PasteEvent } from "../input/index.ts";

/** Sentences on what a paste has lost. */
export function pasteNotes({ cut, hidden }: PasteEvent): string[] {
  const notes: string[] = [];
  if (hidden) {
    const names = hidden.names.join(", ");
    notes.push(
      `${amount(hidden.count, "hidden character")} of the paste (${names}) left out: they draw nothing, or turn text around. A file that has them can be named with @.`,
    );
  }
  if (cut) notes.push("The paste was cut at 16 million characters.");
  return notes;
}
