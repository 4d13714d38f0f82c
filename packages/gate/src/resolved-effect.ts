import type { Effect } from "@harness/protocol";
import type { CommandView } from "./command/command-view.ts";

/** An effect with its links resolved, and for a command with the findings about it. */
export type ResolvedEffect = {
  effect: Effect;
  /** Present for paths. */
  realPath?: string;
  /** Present for commands. */
  command?: CommandView;
  /** True if it is known to write into a git folder that is not called `.git`. */
  inRepository?: boolean;
};

/**
 * True if two judgements of a call are about the same bytes in the same places: an answer to one then holds for the
 * other.
 */
export function isSameCall(some: readonly ResolvedEffect[], others: readonly ResolvedEffect[]): boolean {
  return JSON.stringify(some.map(comparedFields)) === JSON.stringify(others.map(comparedFields));
}

function comparedFields({ effect, realPath, command }: ResolvedEffect): unknown {
  return [effect, realPath, command?.reads];
}
