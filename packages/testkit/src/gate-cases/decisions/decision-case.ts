import type { PermissionMode } from "@harness/protocol";

/**
 * The gate's verdict on a command: it runs without asking, or it is stopped because the user must be asked or a rule
 * denies it.
 */
export type CommandOutcome = "runs" | "stopped";

/** The state of the session when the command arrives. */
export type DecisionSetting = {
  /** Absent: `default`. */
  readonly mode?: PermissionMode;
  /** A command that was answered before with the lasting "always" exactly as the dialog offers it. */
  readonly kept?: string;
  /** Rules as the user writes them: `bash(git *)`. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
};

/** One situation, with commands that must be stopped in it and everyday ones that must run. */
export type DecisionCase = DecisionSetting & {
  readonly stopped?: readonly string[];
  readonly runs?: readonly string[];
};
