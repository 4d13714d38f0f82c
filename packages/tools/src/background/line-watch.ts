import { createLineMatcher, type LineMatcher, TooSlowError } from "../search/line-matcher.ts";
import type { OutputFile } from "./output-file.ts";

const PIECE_BYTES = 64 * 1024;
const MAX_LINE_CHARS = 300;

/** Looks for the first line of an output that matches a pattern. */
export class LineWatch {
  readonly #matcher: LineMatcher;
  #offset: number;

  /** `offset`: where in the output the watch begins. */
  static async create(pattern: string, offset: number): Promise<LineWatch | { problem: string }> {
    const matcher = await createLineMatcher(pattern);
    return "problem" in matcher ? matcher : new LineWatch(matcher, offset);
  }

  private constructor(matcher: LineMatcher, offset: number) {
    this.#matcher = matcher;
    this.#offset = offset;
  }

  /** The matching line; undefined: none so far. A pattern that takes too long counts as a match of no line. */
  look(output: OutputFile): { line: string } | { tooSlow: true } | undefined {
    for (;;) {
      const { bytes, offset, nextOffset } = output.read(this.#offset, PIECE_BYTES);
      if (bytes.length === 0) return undefined;
      const found = this.#find(output.decode(bytes));
      if (found) return found;
      // The last line may be incomplete; a very long one is cut.
      const lastLine = bytes.lastIndexOf(10) + 1;
      const isWhole = lastLine > 0 || bytes.length === PIECE_BYTES;
      this.#offset = isWhole ? offset + (lastLine || bytes.length) : offset;
      if (!isWhole || nextOffset >= output.end) return undefined;
    }
  }

  #find(printed: string): { line: string } | { tooSlow: true } | undefined {
    // Each state of a line that overwrites itself is matched, and shown, separately.
    const text = printed.replace(/\r(?!\n)/g, "\n");
    try {
      const [hit] = this.#matcher.match([text], 1);
      if (!hit) return undefined;
      const line = text.split("\n", hit.line)[hit.line - 1] ?? "";
      return { line: line.trim().slice(0, MAX_LINE_CHARS).toWellFormed() };
    } catch (error) {
      if (error instanceof TooSlowError) return { tooSlow: true };
      throw error;
    }
  }
}
