import type { PermissionMode } from "@harness/protocol";

/**
 * What the gate makes of a command: it runs unasked, or it is not allowed by itself, which means that a person is
 * asked or that a rule denies it.
 */
export type CommandOutcome = "runs" | "stopped";

/** What holds in the session when the command comes. */
export type DecisionSetting = {
  /** Absent: `default`. */
  readonly mode?: PermissionMode;
  /** A command that was answered before with the lasting "always" exactly as the dialog offers it. */
  readonly kept?: string;
  /** Rules as a person writes them: `bash(git *)`. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
};

/** One situation, with commands that have to be stopped in it and everyday ones that have to run. */
export type DecisionCase = DecisionSetting & {
  readonly stopped?: readonly string[];
  readonly runs?: readonly string[];
};
