import { callAsRun, StepError, type Turn } from "@harness/core";
import type { ToolCallPart } from "@harness/protocol";
import type { Inventory } from "../../sources/inventory.ts";
import type { JsonObject } from "../contract/json-answer.ts";
import type { HookAnswer, HookRunner, HookRunOptions } from "../runs/hook-runner.ts";
import type { HookEntry } from "../stage-names.ts";

/** Runs the hooks of a session's turns. */
export class HookWork {
  readonly #runner: HookRunner;
  readonly #options: HookRunOptions;
  readonly #inventory: () => Inventory;

  constructor(runner: HookRunner, options: HookRunOptions, inventory: () => Inventory) {
    this.#runner = runner;
    this.#options = options;
    this.#inventory = inventory;
  }

  get inventory(): Inventory {
    return this.#inventory();
  }

  async run(hook: HookEntry, input: JsonObject, turn: Turn, signal: AbortSignal = turn.signal): Promise<HookAnswer> {
    const { cwd } = turn;
    const choice = await choiceOf(turn);
    const { sources } = this.inventory;
    return await this.#runner.run(
      {
        hook,
        input,
        cwd,
        signal,
        facts: {
          sources: sources.map(({ folder }) => folder),
          provider: choice?.provider.id,
          model: choice?.model,
        },
      },
      this.#options,
    );
  }

  /** Ends a turn if a hook of its stages failed. */
  failure({ stage, path }: HookEntry, answer: Exclude<HookAnswer, { outcome: "ok" | "cancelled" }>): StepError {
    const { path: log, hasComplaints } = this.#options.log;
    const where = log === undefined || !hasComplaints ? "" : ` Its messages are in ${log}.`;
    return new StepError(`The hook ${path} of the stage ${stage} ${wordsOfFailure(answer)}.${where}`);
  }
}

/** Before the first request, the model that would be chosen for it now. */
async function choiceOf({ choice, agent }: Turn): Promise<Turn["choice"]> {
  if (choice) return choice;
  const chosen = await agent.models.choose({ fresh: false });
  return "problem" in chosen ? undefined : chosen;
}

/** A clause about the hook. */
export function wordsOfFailure({ outcome, words, exit }: Exclude<HookAnswer, { outcome: "ok" | "cancelled" }>): string {
  if (outcome === "failed") return words;
  return words === "" ? `ended with ${exit}` : `ended with ${exit}: ${withoutPeriod(words)}`;
}

/** The end of a sentence about a call that a hook refuses. */
export function refusalBy(
  { name, path }: HookEntry,
  { outcome, words, exit }: Exclude<HookAnswer, { outcome: "ok" | "cancelled" }>,
): string {
  if (outcome === "failed") return `is refused: the hook ${name} ${withoutPeriod(words)}`;
  return words === ""
    ? `is refused by the hook ${path} (${exit}), which gave no reason`
    : `is refused by the hook ${name}: ${withoutPeriod(words)}`;
}

/** A call as hooks see it. */
export function namedCall(turn: Turn, part: ToolCallPart): JsonObject {
  return { id: part.toolCallId, ...callAsRun(turn, part) };
}

/** The message ends one of our sentences. */
function withoutPeriod(words: string): string {
  return words.trimEnd().replace(/(?<!\.)\.$/, "");
}
