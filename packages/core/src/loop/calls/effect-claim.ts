import { isWithin, type KnownPaths, mayMakeRepository, placesRead, type ToolCategory } from "@harness/gate";
import type { Effect } from "@harness/protocol";
import type { CallConcurrency } from "../../ports/tool.ts";

/** The real paths that a call uses while it runs, and whether it may change others. */
export type Claim = {
  reads: string[];
  writes: string[];
  mayChangeAnything: boolean;
  /** It may run beside others of this kind with the same mark. */
  besides: ToolCategory | undefined;
};

/** The parts of a claim. */
export type ClaimInput = {
  effects: readonly Effect[];
  category: ToolCategory;
  concurrency: CallConcurrency;
};

type PathFacts = Pick<KnownPaths, "real" | "exists">;

export function besides({ category, concurrency }: Pick<ClaimInput, "category" | "concurrency">): Claim["besides"] {
  return concurrency === "beside-its-kind" ? category : undefined;
}

/** Resolves links as they are now: an earlier call may have changed them. */
export function claimOf({ effects, category, concurrency }: ClaimInput, paths: PathFacts): Claim {
  const claim: Claim = {
    reads: [],
    writes: [],
    mayChangeAnything: concurrency === "alone",
    besides: besides({ category, concurrency }),
  };
  for (const effect of effects) {
    if (effect.kind === "read") claim.reads.push(paths.real(effect.path));
    else if (effect.kind === "write") claim.writes.push(paths.real(effect.path));
    else if (effect.kind === "run") claimCommand(claim, effect, paths);
  }
  // A question, a change of mode, or a change of something that no effect names.
  const isUnnamed = effects.every(({ kind }) => kind !== "write" && kind !== "run");
  if (category === "signal" || (category === "destructive" && isUnnamed)) claim.mayChangeAnything = true;
  return claim;
}

function claimCommand(claim: Claim, { command, cwd }: Effect & { kind: "run" }, { real, exists }: PathFacts): void {
  const known = exists ? { exists } : {};
  const places = placesRead(command, { cwd: real(cwd), enter: real, ...known });
  if (places === undefined) claim.mayChangeAnything = true;
  else claim.reads.push(...places.map(real));
}

/** Nothing later starts beside it: it may change anything that another call uses. */
export function isBarrier({ mayChangeAnything, besides }: Claim, other: Pick<Claim, "besides">): boolean {
  return mayChangeAnything && (besides === undefined || besides !== other.besides);
}

/** True if the two calls must not run at the same time: then the earlier one of the reply goes first. */
export function clash(a: Claim, b: Claim): boolean {
  if (isBarrier(a, b) || isBarrier(b, a)) return true;
  if (a.mayChangeAnything || b.mayChangeAnything) return false;
  if (a.writes.some(mayMakeRepository) && b.writes.some(mayMakeRepository)) return true;
  return touch(a.writes, b.writes) || touch(a.writes, b.reads) || touch(a.reads, b.writes);
}

function touch(some: readonly string[], others: readonly string[]): boolean {
  return some.some((path) => others.some((other) => isWithin(path, other) || isWithin(other, path)));
}
