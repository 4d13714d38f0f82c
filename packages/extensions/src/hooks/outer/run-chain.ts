import type { JsonObject } from "../contract/json-answer.ts";
import type { HookAnswer } from "../runs/hook-runner.ts";
import type { HookEntry } from "../stage-names.ts";

/**
 * Runs the hooks of a stage outside of turns, each with the answer of the previous one; an empty answer passes on the
 * input. `problem`: a sentence about the one that failed.
 */
export async function runChain(
  hooks: readonly HookEntry[],
  input: JsonObject,
  run: (hook: HookEntry, input: JsonObject) => Promise<HookAnswer>,
): Promise<{ value: JsonObject } | { problem: string }> {
  let value = input;
  for (const hook of hooks) {
    const result = await run(hook, value);
    if (result.outcome === "cancelled") return { problem: `The hook ${hook.path} was stopped.` };
    if (result.outcome !== "ok") {
      const words = result.words.trim().replace(/\.$/, "");
      const how = result.outcome === "failed" ? words : `ended with ${result.exit}${words === "" ? "" : `: ${words}`}`;
      return { problem: `The hook ${hook.path} of the stage ${hook.stage} ${how}.` };
    }
    if (Object.keys(result.answer).length > 0) value = result.answer;
  }
  return { value };
}
