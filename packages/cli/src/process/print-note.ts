import { terminalText } from "../text/terminal-text.ts";
import { linesFor } from "../text/text-table.ts";

/** Prints a note for the user on stderr. */
export function printNote(text: string): void {
  process.stderr.write(`${linesFor(process.stderr, terminalText(text))}\n`);
}
