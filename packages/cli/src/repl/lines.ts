import type { EditedText } from "@harness/client/actions";
import type { LineAsk } from "./line-input.ts";

/** Where lines come from and go to. */
export type Lines = {
  line(prompt: string, ask?: LineAsk): Promise<string | undefined>;
  print(text: string): void;
  /** Puts a text into the terminal's clipboard; what was copied, as a sentence. Absent: the terminal has none. */
  copy?(text: string): string;
  /** The arrows lead to earlier messages, and lines can be edited. */
  readonly editsLines: boolean;
  /** Lets a person edit a text in a program of theirs. */
  edit(text: string): Promise<EditedText>;
};
