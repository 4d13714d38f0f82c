import { isBelow, isQuietCommand, mayMakeRepository } from "@harness/gate";
import type { Effect } from "@harness/protocol";

/** The real paths that a call uses while it runs. */
export type Claim = { reads: string[]; writes: string[]; runs: boolean };

export function claimOf(effects: readonly Effect[], real: (path: string) => string): Claim {
  const claim: Claim = { reads: [], writes: [], runs: false };
  for (const effect of effects) {
    if (effect.kind === "read") claim.reads.push(real(effect.path));
    else if (effect.kind === "write") claim.writes.push(real(effect.path));
    // A command that only reads or waits conflicts with nothing; any other may do anything.
    else if (effect.kind === "run" && !isQuietCommand(effect.command)) claim.runs = true;
  }
  return claim;
}

/** True when the two calls must not run at the same time: then the earlier one of the reply goes first. */
export function clash(a: Claim, b: Claim): boolean {
  if (a.runs && (b.runs || b.writes.length > 0)) return true;
  if (b.runs && a.writes.length > 0) return true;
  if (a.writes.some(mayMakeRepository) && b.writes.some(mayMakeRepository)) return true;
  return touch(a.writes, b.writes) || touch(a.writes, b.reads) || touch(a.reads, b.writes);
}

function touch(some: readonly string[], others: readonly string[]): boolean {
  return some.some((path) => others.some((other) => isBelow(path, other) || isBelow(other, path)));
}
