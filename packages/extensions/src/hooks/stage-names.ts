import { builtInSteps } from "@harness/core";
import { turnStages } from "@harness/protocol";
import { type ResolvedEntry, resolveByName } from "../sources/resolve-by-name.ts";
import type { SourceEntry } from "../sources/source.ts";

/** The stages outside of turns: which sources there are, which model answers, and where a key comes from. */
const OUTER_STAGES = ["sources", "resolve", "auth-set"] as const;
type OuterStage = (typeof OUTER_STAGES)[number];

/**
 * The steps that find the folders of sources, and leave out those of other providers; a hook of the same name replaces
 * a step.
 */
export const SOURCES_STEPS = { walk: "30-walk-dirs", scope: "40-scope-providers" } as const;

/**
 * harness's own steps in these stages. They fill in or ask for whatever hooks left open, so no hook can replace them.
 */
const OUTER_STEPS: Readonly<Record<OuterStage, readonly string[]>> = {
  sources: Object.values(SOURCES_STEPS),
  resolve: ["99-defaults"],
  "auth-set": ["99-ask"],
};

export type HookEntry = SourceEntry & { stage: string };

/** The names of the built-in steps of a stage, in order. */
export function builtInNames(stage: string): string[] {
  const outer = OUTER_STAGES.find((each) => each === stage);
  if (outer) return [...OUTER_STEPS[outer]];
  return builtInSteps.flatMap((step) => (step.stage === stage ? [step.name] : [])).sort();
}

/** The hooks in effect for a stage, in the order in which they run. */
export function hooksOf(entries: readonly SourceEntry[], stage: string): ResolvedEntry<HookEntry>[] {
  return resolveByName(entries.flatMap((entry) => (entry.stage === stage ? [{ ...entry, stage }] : [])));
}

/** The name of the built-in step that a hook replaces; undefined if there is none. */
export function replacedName(stage: string, name: string): string | undefined {
  if (stage !== "sources" && !turnStages.some((each) => each === stage)) return undefined;
  return builtInNames(stage).find((each) => each.toLowerCase() === name.toLowerCase());
}
