import { run, sessionOrTest } from "../flag-homes.ts";
import type { FlagRow } from "../flag-row.ts";

/** How far a run may go, and with which models. */
export const limitFlags = {
  "max-turns": {
    takes: "value",
    value: "N",
    fallback: "the setting max_turns",
    doc: "Maximum number of model requests for one message.",
    in: sessionOrTest,
  },
  "max-tokens": {
    takes: "value",
    value: "N",
    doc: "Stop when this run, with its subagents, has used so many tokens, not counting cached ones.",
    in: sessionOrTest,
  },
  "max-cost": {
    takes: "value",
    value: "USD",
    doc: "Stop when this run, with its subagents, has cost so much, such as 0.50. Models whose price is not known end it.",
    in: sessionOrTest,
  },
  "fallback-model": {
    takes: "values",
    value: "MODEL",
    fallback: "the setting fallback_models",
    doc: "Model that takes over where the one before is overloaded or cannot be reached. Repeatable.",
    in: sessionOrTest,
  },
  "output-schema": {
    takes: "value",
    value: "FILE|JSON",
    doc: "The answer is JSON that fits this JSON Schema; an answer that does not is asked for once more. Also in `structured` of the result.",
    in: run,
  },
} as const satisfies Record<string, FlagRow>;
