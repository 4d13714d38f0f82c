import type { CompletionItem } from "../state/composer.ts";

/** A slash command of the window or the server. */
export type KnownCommand = {
  /** The name and its aliases. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  readonly argumentHint?: string | undefined;
};

/** The slash commands that can be typed. */
export type CommandList = {
  /** The window's commands, then the server's. */
  all(): readonly KnownCommand[];
  /** Completions for the argument of a window command; undefined for commands of the server, which have a hint. */
  argumentsOf(name: string): Promise<readonly CompletionItem[]> | undefined;
};
