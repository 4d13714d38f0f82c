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
  /** What may follow a command of the window; undefined when it is the server's, whose hint says what may. */
  argumentsOf(name: string): Promise<readonly CompletionItem[]> | undefined;
};
