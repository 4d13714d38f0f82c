import { type HookView, hookStages } from "@harness/protocol";
import type { Inventory } from "../sources/inventory.ts";
import type { ReadEntries } from "../sources/read-entries.ts";
import type { SourceEntry } from "../sources/source.ts";
import type { HookConf } from "./runs/hook-conf.ts";
import type { HookRun, HookRuns } from "./runs/hook-runs.ts";
import { builtInNames, type HookEntry, hooksOf, replacedName } from "./stage-names.ts";

/**
 * The executables of stages and the built-in steps, by stage in the order in which they run; at the end the unused
 * ones.
 */
export function listHooks(inventory: Inventory, confs: ReadEntries<HookConf>, runs: HookRuns): HookView[] {
  const usable = inventory.of("hook");
  const unused = inventory.entries.filter((entry) => entry.kind === "hook" && entry.problem !== undefined);
  const stages = hookStages.flatMap((stage) => [
    ...stageViews(stage, usable, confs, runs),
    ...unused.flatMap((entry) => (entry.stage === stage ? [entryView({ ...entry, stage }, confs, runs)] : [])),
  ]);
  const elsewhere = inventory.entries.filter(
    ({ kind, stage }) => kind === "hook" && !hookStages.some((each) => each === stage),
  );
  return [...stages, ...elsewhere.map((entry) => strayView(entry, confs, runs))];
}

function stageViews(
  stage: string,
  usable: readonly SourceEntry[],
  confs: ReadEntries<HookConf>,
  runs: HookRuns,
): HookView[] {
  const hooks = hooksOf(usable, stage).map(({ entry, shadows }): HookView => {
    const isReplacing = replacedName(stage, entry.name) !== undefined;
    return {
      ...entryView(entry, confs, runs),
      ...(isReplacing && { replaces: true }),
      ...(shadows.length > 0 && { shadows: shadows.map(({ path }) => path) }),
    };
  });
  const taken = new Set(hooks.map(({ name }) => replacedName(stage, name)));
  const builtIn = builtInNames(stage)
    .filter((name) => !taken.has(name))
    .map((name): HookView => ({ event: stage, name, form: "built-in", owner: "harness", trusted: true }));
  return [...hooks, ...builtIn].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function entryView(entry: HookEntry, confs: ReadEntries<HookConf>, runs: HookRuns): HookView {
  const { stage, name, path, source, needsTrust, problem } = entry;
  const { timeoutMs, passEnv, problems } = confs.of(entry);
  const last = runs.last(stage, path);
  return {
    event: stage,
    name,
    path,
    form: "stage",
    owner: source.owner,
    source: source.folder,
    trusted: needsTrust !== true,
    timeoutMs,
    ...(passEnv.length > 0 && { passEnv: [...passEnv] }),
    ...(problem !== undefined && { problem }),
    ...(problems.length > 0 && { notes: [...problems] }),
    ...(last && { last: runView(last) }),
  };
}

/** A run as clients see it. */
export function runView({ at, durationMs, outcome, exit, words, sessionId }: HookRun): NonNullable<HookView["last"]> {
  return {
    ...{ at, durationMs, outcome, exit },
    ...(words !== undefined && { words }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

/** A misspelt stage would be a hook that silently never runs. */
function strayView(entry: SourceEntry, confs: ReadEntries<HookConf>, runs: HookRuns): HookView {
  const { stage = "", path } = entry;
  const problem = `${path} never runs: there is no stage ${JSON.stringify(stage)}. The stages are ${hookStages.join(", ")}.`;
  return { ...entryView({ ...entry, stage }, confs, runs), problem: entry.problem ?? problem };
}
