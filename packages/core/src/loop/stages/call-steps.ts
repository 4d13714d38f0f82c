/** The end of a call as extensions see it. `input`: its arguments under the tool's own names. */
export type CallResult = { toolCallId: string; name: string; input: unknown; text: string; isError: boolean };

/** Takes a result and passes it on, unchanged or changed. Throws `StepError`. */
export type ResultStep<C> = (result: CallResult, context: C, signal: AbortSignal) => Promise<CallResult>;

/**
 * Steps of extensions that handle single calls. Their results are stored as soon as they arrive. None runs before the
 * gate; steps that can block a call belong to the stage `tool_exec`.
 */
export type CallSteps<C> = {
  /** Runs approved calls in place of their tools; undefined: the tools run. Throws `StepError`. */
  readonly exec:
    | ((call: Omit<CallResult, "text" | "isError">, context: C, signal: AbortSignal) => Promise<CallResult>)
    | undefined;
  /** For calls that have run. The error of a failed step replaces the result. */
  readonly afterRun: readonly ResultStep<C>[];
  /** For all calls, right before a result is stored. A failed step also ends the turn in the stage `error`. */
  readonly beforeSave: readonly ResultStep<C>[];
};

export const NO_CALL_STEPS: CallSteps<unknown> = { exec: undefined, afterRun: [], beforeSave: [] };
