import { terminalText } from "../text/terminal-text.ts";

/** Prints a note for the user on stderr. */
export function printNote(text: string): void {
  process.stderr.write(`${terminalText(text)}\n`);
}
