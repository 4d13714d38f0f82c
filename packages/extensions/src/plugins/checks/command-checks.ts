import { type Check, describeChecks, type PluginTrial, passedCheck } from "./plugin-trial.ts";

/** Checks a command by its own description. It is not run, because only its author knows its effects. */
export async function commandChecks(trial: PluginTrial): Promise<Check[]> {
  return [
    ...(await describeChecks(trial)),
    passedCheck(`harness ${trial.name}`, "not run: only you know what it does"),
  ];
}
