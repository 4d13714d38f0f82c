import type { Failure } from "@harness/protocol";
import type { EngineFault } from "./engine.ts";

/** Explains to people why a model has not answered. */
export function engineFailure(
  { cause, message, lastOutput }: EngineFault,
  { model, path }: { model: string; path: string },
): Pick<Failure, "kind" | "message"> {
  const output = lastOutput === "" ? "" : ` It said: ${lastOutput}`;
  if (cause === "process") {
    const next = "The next request starts it again.";
    return { kind: "network", message: `The process that runs ${model} ${message}. ${next}${output}` };
  }
  if (cause === "memory") {
    const advice = "Free some memory, set a smaller context_limit, or take a smaller file of the same model.";
    return { kind: "config", message: `${model} does not fit into memory: ${message}. ${advice}` };
  }
  if (cause === "runtime") {
    const what = "node-llama-cpp, which runs model files,";
    return { kind: "config", message: `${what} does not work here: ${message}.${output}` };
  }
  return { kind: "config", message: `${path} cannot be loaded: ${message}.${output}` };
}
