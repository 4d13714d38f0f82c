import type { CompletionItem } from "../state/composer.ts";

/** A slash command of the window or the server. */
export type KnownCommand = {
  /** The name and its aliases. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  readonly argumentHint?: string | undefined;
  /** Its origin, in a word or two; absent: it is built in. */
  readonly origin?: string | undefined;
};

/** The slash commands that can be typed. */
export type CommandList = {
  /** The window's commands, then the server's. */
  all(): readonly KnownCommand[];
  /**
   * Has the server look again, because files of commands come and go; also for what was typed, where it is in no list. Answers
   * why that cannot be run, as a sentence, where the server knows. Never rejects.
   */
  refresh(typed?: string): Promise<string | undefined>;
  /** Completions for the argument of a window command; undefined where only the hint says what may follow. */
  argumentsOf(name: string): Promise<readonly CompletionItem[]> | undefined;
};
