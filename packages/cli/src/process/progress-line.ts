import { terminalText } from "../text/terminal-text.ts";

/** The last line of a terminal, written over while something goes on. */
export class ProgressLine {
  #isOpen = false;

  write(text: string): void {
    this.#isOpen = true;
    process.stderr.write(`\r${terminalText(text)}\u001b[K`);
  }

  /** The next text begins a line of its own. */
  end(): void {
    if (this.#isOpen) process.stderr.write("\n");
    this.#isOpen = false;
  }
}
