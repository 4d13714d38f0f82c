import { indexProgressText, progressBar } from "@harness/client/actions";
import type { IndexProgress } from "@harness/protocol";
import { terminalText } from "../../text/terminal-text.ts";

const BAR_COLUMNS = 24;

/** On a terminal: one line with a bar that is written over. */
export class IndexProgressLine {
  #isShown = false;

  show(progress: IndexProgress): void {
    this.#isShown = true;
    const bar = progressBar(progress.filesDone / Math.max(progress.filesTotal, 1), BAR_COLUMNS);
    process.stderr.write(`\r${terminalText(`${bar} ${indexProgressText(progress)}`)}\u001b[K`);
  }

  end(): void {
    if (this.#isShown) process.stderr.write("\n");
  }
}

/** One line for each quarter, for logs. */
export class IndexProgressNotes {
  readonly #note: (text: string) => void;
  #quarter = 0;

  constructor(note: (text: string) => void) {
    this.#note = note;
  }

  show(progress: IndexProgress): void {
    const quarter = Math.floor((progress.filesDone / Math.max(progress.filesTotal, 1)) * 4);
    if (quarter <= this.#quarter) return;
    this.#quarter = quarter;
    this.#note(`harness: Indexing: ${indexProgressText(progress)}`);
  }

  end(): void {
    this.#quarter = 0;
  }
}
