import type { Effect } from "@harness/protocol";
import type { CommandView } from "./command/command-view.ts";

/** An effect with what it comes to when links are resolved, and a command with what was found in it. */
export type ResolvedEffect = {
  effect: Effect;
  /** Present for paths. */
  realPath?: string;
  /** Present for commands. */
  command?: CommandView;
  /** It writes into a git folder that is not called `.git`, as far as is known. */
  inRepository?: boolean;
};

/** Do two judgements of a call speak of the same bytes in the same places? Then what was answered to one holds for the other. */
export function isSameCall(some: readonly ResolvedEffect[], others: readonly ResolvedEffect[]): boolean {
  return JSON.stringify(some.map(bound)) === JSON.stringify(others.map(bound));
}

function bound({ effect, realPath, command }: ResolvedEffect): unknown {
  return [effect, realPath, command?.reads];
}
