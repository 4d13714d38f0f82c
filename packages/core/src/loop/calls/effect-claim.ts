import { isBelow, type KnownPaths, mayMakeRepository, placesRead, type ToolCategory } from "@harness/gate";
import type { Effect } from "@harness/protocol";

/** The real paths that a call uses while it runs, and whether it uses or changes more than these. */
export type Claim = {
  reads: string[];
  writes: string[];
  beyond: "nothing" | "looks" | "changes";
  /** It may run beside others of this kind that are so marked. */
  besides: ToolCategory | undefined;
};

/** What a claim is made of. `isIndependent`: the call may run beside others of its category that are so marked. */
export type Claimed = { effects: readonly Effect[]; category: ToolCategory; isIndependent?: boolean };

type Places = Pick<KnownPaths, "real" | "exists">;

/** As links are at the moment: a call before it may change where they lead. */
export function claimOf({ effects, category, isIndependent = false }: Claimed, paths: Places): Claim {
  const claim: Claim = { reads: [], writes: [], beyond: "nothing", besides: isIndependent ? category : undefined };
  for (const effect of effects) {
    if (effect.kind === "read") claim.reads.push(paths.real(effect.path));
    else if (effect.kind === "write") claim.writes.push(paths.real(effect.path));
    else if (effect.kind === "run") claimCommand(claim, effect, paths);
    else if (claim.beyond === "nothing") claim.beyond = "looks";
  }
  // A question, a change of mode, or a change of something that no effect names.
  const isUnnamed = claim.writes.length === 0 && claim.beyond === "nothing";
  if (category === "signal" || (category === "destructive" && isUnnamed)) claim.beyond = "changes";
  return claim;
}

function claimCommand(claim: Claim, { command, cwd }: Effect & { kind: "run" }, { real, exists }: Places): void {
  const known = exists ? { exists } : {};
  const places = placesRead(command, { cwd: real(cwd), enter: real, ...known });
  if (places === undefined) claim.beyond = "changes";
  else {
    claim.reads.push(...places.map(real));
    if (claim.beyond === "nothing") claim.beyond = "looks";
  }
}

/** May the claim change what the call uses, whatever that is? Nothing is known of the call's paths before it has ended. */
export function isBarrier({ beyond, besides }: Claim, { isIndependent, category }: Claimed): boolean {
  return beyond === "changes" && !(isIndependent === true && besides === category);
}

/** True when the two calls must not run at the same time: then the earlier one of the reply goes first. */
export function clash(a: Claim, b: Claim): boolean {
  if (a.besides !== undefined && a.besides === b.besides) return false;
  if ((a.beyond === "changes" && !isIdle(b)) || (b.beyond === "changes" && !isIdle(a))) return true;
  if (a.writes.some(mayMakeRepository) && b.writes.some(mayMakeRepository)) return true;
  return touch(a.writes, b.writes) || touch(a.writes, b.reads) || touch(a.reads, b.writes);
}

function isIdle({ reads, writes, beyond }: Claim): boolean {
  return beyond === "nothing" && reads.length === 0 && writes.length === 0;
}

function touch(some: readonly string[], others: readonly string[]): boolean {
  return some.some((path) => others.some((other) => isBelow(path, other) || isBelow(other, path)));
}
