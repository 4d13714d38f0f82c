import { indexProgressShare, indexProgressText, progressBar } from "@harness/client/actions";
import type { IndexProgress } from "@harness/protocol";

const BAR_COLUMNS = 24;
/** The quarters of vectors follow those of files. */
const VECTOR_QUARTERS = 4;

/** One line with a bar. */
export function indexProgressBar(progress: IndexProgress): string {
  return `${progressBar(indexProgressShare(progress), BAR_COLUMNS)} ${indexProgressText(progress)}`;
}

/** One line for each quarter, for logs. */
export class IndexProgressNotes {
  readonly #note: (text: string) => void;
  #quarter = 0;

  constructor(note: (text: string) => void) {
    this.#note = note;
  }

  show(progress: IndexProgress): void {
    const quarter = Math.floor(indexProgressShare(progress) * 4) + (progress.vectors ? VECTOR_QUARTERS : 0);
    // The files of the next folder follow.
    if (!progress.vectors && this.#quarter > VECTOR_QUARTERS) this.#quarter = 0;
    if (quarter <= this.#quarter || quarter === VECTOR_QUARTERS) return;
    this.#quarter = quarter;
    this.#note(`harness: Indexing: ${indexProgressText(progress)}`);
  }
}
