import { type CallSteps, NO_CALL_STEPS, type Step, type Turn } from "@harness/core";
import { turnStages } from "@harness/protocol";
import type { SourceEntry } from "../../sources/source.ts";
import { builtInNames, type HookEntry, hooksOf } from "../stage-names.ts";
import { CallAsks } from "./call-asks.ts";
import { beforeCalls, callSteps, saveStep } from "./call-hooks.ts";
import type { HookWork } from "./hook-work.ts";
import { stageStep } from "./stage-steps.ts";

type CurrentHooks = {
  entries: readonly SourceEntry[];
  steps: readonly Step<Turn>[];
  calls: CallSteps<Turn>;
  gateHooks: readonly CallAsks["gateHook"][];
};

const NOTHING: Omit<CurrentHooks, "entries"> = { steps: [], calls: NO_CALL_STEPS, gateHooks: [] };

/** The hooks of a session as steps of its turns, rebuilt only when different ones are found. */
export class SessionHooks {
  readonly #work: HookWork;
  readonly #asks = new CallAsks();
  #known: CurrentHooks | undefined;

  constructor(work: HookWork) {
    this.#work = work;
  }

  steps(): readonly Step<Turn>[] {
    return this.#now().steps;
  }

  callSteps(): CallSteps<Turn> {
    return this.#now().calls;
  }

  /** For hooks that want the user to be asked. */
  gateHooks(): readonly CallAsks["gateHook"][] {
    return this.#now().gateHooks;
  }

  #now(): Omit<CurrentHooks, "entries"> {
    const entries = this.#work.inventory.of("hook");
    if (entries.length === 0) return NOTHING;
    if (this.#known?.entries !== entries) this.#known = { entries, ...this.#made(entries) };
    return this.#known;
  }

  #made(entries: readonly SourceEntry[]): Omit<CurrentHooks, "entries"> {
    const hooks = (stage: string) => hooksOf(entries, stage).map(({ entry }) => entry);
    const work = this.#work;
    const exec = around("tool_exec", hooks("tool_exec"));
    const done = around("tool_done", hooks("tool_done"));
    const others = turnStages.filter((stage) => stage !== "tool_exec" && stage !== "tool_done");
    const steps = [
      ...others.flatMap((stage) => hooks(stage).map((hook) => stageStep(hook, stage, work))),
      ...exec.before.map((hook) => beforeCalls(hook, work, this.#asks)),
      ...(done.inPlace ? [saveStep(done.inPlace, work)] : []),
      ...done.after.map((hook) => stageStep(hook, "tool_done", work)),
    ];
    return {
      steps,
      calls: callSteps({ exec: exec.inPlace, after: exec.after, saving: done.before }, work),
      gateHooks: exec.before.length > 0 ? [this.#asks.gateHook] : [],
    };
  }
}

/** The hooks before the built-in step of a stage that has one, the one that replaces it, and those after it. */
function around(stage: "tool_exec" | "tool_done", hooks: readonly HookEntry[]) {
  const [builtIn = ""] = builtInNames(stage);
  const isSame = ({ name }: HookEntry) => name.toLowerCase() === builtIn.toLowerCase();
  return {
    before: hooks.filter((hook) => !isSame(hook) && hook.name < builtIn),
    inPlace: hooks.find(isSame),
    after: hooks.filter((hook) => !isSame(hook) && hook.name > builtIn),
  };
}
