import { type Check, describeChecks, ok, type PluginTrial } from "./plugin-trial.ts";

/** A command: what it says of itself. What it does is its own business, and not tried. */
export async function commandChecks(trial: PluginTrial): Promise<Check[]> {
  return [...(await describeChecks(trial)), ok(`harness ${trial.name}`, "not run: only you know what it does")];
}
