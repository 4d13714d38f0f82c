import type { EditedText } from "@harness/client/actions";
import type { LineAsk } from "./line-input.ts";

/** The source and destination of lines. */
export type Lines = {
  line(prompt: string, ask?: LineAsk): Promise<string | undefined>;
  print(text: string): void;
  /**
   * Copies a text to the terminal's clipboard; returns what was copied, as a sentence. Absent if the terminal has none.
   */
  copy?(text: string): string;
  /** The arrows lead to earlier messages, and lines can be edited. */
  readonly editsLines: boolean;
  /** Lets the user edit a text in their editor. */
  edit(text: string): Promise<EditedText>;
};
