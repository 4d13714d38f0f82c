import type { CallSteps, SessionExtensions, Step, Turn } from "@harness/core";
import type { ClaudeHookEvents } from "./session-events.ts";

/**
 * Extensions of a session combined with its hooks in Claude's format: the same arrays as long as neither has changed.
 */
export function joinedExtensions(
  others: SessionExtensions,
  events: Pick<ClaudeHookEvents, "steps" | "afterRun" | "gateHooks">,
): SessionExtensions {
  const afterRun = joinedArrays(
    () => others.callSteps().afterRun,
    () => events.afterRun(),
  );
  let calls: { others: CallSteps<Turn>; joined: CallSteps<Turn> } | undefined;
  return {
    ...others,
    steps: joinedArrays(
      () => others.steps(),
      () => events.steps(),
    ),
    gateHooks: joinedArrays(
      () => others.gateHooks(),
      () => events.gateHooks(),
    ),
    callSteps: () => {
      const now = others.callSteps();
      const all = afterRun();
      if (all === now.afterRun) return now;
      if (calls?.others !== now || calls.joined.afterRun !== all)
        calls = { others: now, joined: { ...now, afterRun: all } };
      return calls.joined;
    },
  };
}

/** The same with additional constant steps. */
export function withSteps(others: SessionExtensions, steps: readonly Step<Turn>[]): SessionExtensions {
  return {
    ...others,
    steps: joinedArrays(
      () => others.steps(),
      () => steps,
    ),
  };
}

/** Two lists as one, joined again only if one of them has changed. */
export function joinedArrays<T>(one: () => readonly T[], other: () => readonly T[]): () => readonly T[] {
  let known: { first: readonly T[]; second: readonly T[]; both: readonly T[] } | undefined;
  return () => {
    const [first, second] = [one(), other()];
    if (second.length === 0) return first;
    if (known?.first !== first || known.second !== second) known = { first, second, both: [...first, ...second] };
    return known.both;
  };
}
