/** All that a command has printed, both outputs in one, without control sequences. */
export type CommandOutput = { readonly text: string; readonly exitCode: number | null };

/** The person's command that checks a folder, such as `npm run check`, for one session. */
export type CommandPort = {
  /** Empty: there is none. Read for each check, as is `waitMs`. */
  readonly line: string;
  /** How long a result waits for it at most. */
  readonly waitMs: number;
  /**
   * Runs it until it ends, or the signal aborts; nothing of it is left running then. `why`: the end of a sentence about
   * it. Never rejects.
   */
  run(cwd: string, signal: AbortSignal): Promise<CommandOutput | { readonly why: string }>;
  /** Another text whenever files in the folder have changed; undefined: that cannot be known. Never rejects. */
  state(cwd: string): Promise<string | undefined>;
};
