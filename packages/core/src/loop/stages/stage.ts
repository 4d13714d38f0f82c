import type { Failure } from "@harness/protocol";
import { LogWriteError } from "../../ports/session-log.ts";
import type { StageName, StageState, Transition, TurnEnd } from "./stage-value.ts";

/** A step of an extension failed; the message is for people. */
export class StepError extends Error {
  override readonly name = "StepError";
}

/** The stages never end, whatever the steps do. */
export class StageLimitError extends Error {
  override readonly name = "StageLimitError";
}

/** A step of one stage. `C` is the context of the steps: the turn. */
export type StepOf<S extends StageName, C> = {
  readonly stage: S;
  /** `NN-name`: steps of a stage run in the order of their names; a step of the same name replaces. */
  readonly name: string;
  /**
   * Takes the state from the previous step. The stage that the last step names comes next; without one the turn ends.
   */
  run(state: StageState<S>, context: C): StageState<S> | Promise<StageState<S>>;
};

export type Step<C> = { [S in StageName]: StepOf<S, C> }[StageName];

type AnyState = StageState<StageName>;
type AnyStep<C> = {
  readonly stage: StageName;
  readonly name: string;
  run(state: AnyState, context: C): AnyState | Promise<AnyState>;
};

export type StageTable<C> = ReadonlyMap<StageName, readonly AnyStep<C>[]>;

/** The steps of each stage, sorted by name; a later one of the same stage and name replaces an earlier one. */
export function stageTable<C>(steps: readonly Step<C>[]): StageTable<C> {
  const byStage = new Map<StageName, Map<string, AnyStep<C>>>();
  for (const step of steps) {
    const ofStage = byStage.get(step.stage) ?? new Map<string, AnyStep<C>>();
    byStage.set(step.stage, ofStage.set(step.name, step));
  }
  const sorted = [...byStage].map(
    ([stage, ofStage]) => [stage, [...ofStage.values()].sort((a, b) => (a.name < b.name ? -1 : 1))] as const,
  );
  return new Map(sorted);
}

/**
 * Goes from stage to stage as the steps say, from `start` until none is named. If a step throws, `error` follows; if
 * one throws there, the turn ends. `stepsOf` is called when a stage begins. Throws only `LogWriteError`: a turn that
 * cannot be stored must stop at once.
 */
export async function followStages<C>(
  stepsOf: (stage: StageName) => StageTable<C> | Promise<StageTable<C>>,
  start: Transition,
  context: C,
  report: (error: unknown, where: string) => void,
): Promise<TurnEnd> {
  let from: Transition = start;
  for (;;) {
    const stage: StageName = from.nextState;
    let state: AnyState;
    try {
      state = await runStage((await stepsOf(stage)).get(stage) ?? [], from, context);
    } catch (error) {
      if (error instanceof LogWriteError) throw error;
      if (error instanceof StageLimitError) return { stopReason: "max_turn_requests" };
      if (!(error instanceof StepError)) report(error, `stage ${stage}`);
      state = { nextState: "error", error: failureOf(error, stage) };
      if (stage === "error") return endOf(from);
    }
    if (state.nextState === undefined) return endOf(state);
    from = state;
  }
}

async function runStage<C>(
  steps: readonly AnyStep<C>[],
  { nextState: _, ...value }: Transition,
  context: C,
): Promise<AnyState> {
  let state: AnyState = value;
  for (const step of steps) state = await step.run(state, context);
  return state;
}

function failureOf(error: unknown, stage: StageName): Failure {
  if (error instanceof StepError) return { kind: "hook", message: error.message };
  const message = `harness had an internal error in the stage \`${stage}\`; its log has the details.`;
  return { kind: "internal", message };
}

function endOf(state: AnyState): TurnEnd {
  if ("end" in state) return { ...state.end, output: state.output };
  return "error" in state ? { stopReason: "error", error: state.error } : { stopReason: "end_turn" };
}
