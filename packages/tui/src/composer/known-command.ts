import type { CompletionItem } from "../state/composer.ts";

/** A slash command of the window or the server. */
export type KnownCommand = {
  /** The name and its aliases. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  readonly argumentHint?: string | undefined;
  /** Its origin, in a word or two; absent: built in. */
  readonly origin?: string | undefined;
};

/** The slash commands that can be typed. */
export type CommandList = {
  /** The window's commands, then the server's. */
  all(): readonly KnownCommand[];
  /**
   * Makes the server look again, because command files come and go; also for typed text that is in no list. Returns why
   * that cannot be run, as a sentence, if the server knows. Never rejects.
   */
  refresh(typed?: string): Promise<string | undefined>;
  /** Completions for the argument of a window command; undefined: only the hint says what may follow. */
  argumentsOf(name: string): Promise<readonly CompletionItem[]> | undefined;
};
