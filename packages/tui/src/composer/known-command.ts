import type { CompletionItem } from "../state/composer.ts";

/** A slash command of the window or the server. */
export type KnownCommand = {
  /** The name and its aliases. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  readonly argumentHint?: string | undefined;
  /** Who brings it along, in a word or two; absent: it is built in. */
  readonly origin?: string | undefined;
};

/** The slash commands that can be typed. */
export type CommandList = {
  /** The window's commands, then the server's. */
  all(): readonly KnownCommand[];
  /** Has the server look again: files of commands come and go. Never rejects. */
  refresh(): Promise<void>;
  /** Completions for the argument of a window command; undefined for commands of the server, which have a hint. */
  argumentsOf(name: string): Promise<readonly CompletionItem[]> | undefined;
};
