import { join } from "node:path";
import { CliError } from "../process/exit-codes.ts";

const NO_JOB = "unknown";

type JobEnv = Readonly<{ HARNESS_OUTPUT_DIR?: string | undefined; HARNESS_JOB_ID?: string | undefined }>;

/** The file in which a batch system looks for the answer of its job: `<job>.txt` in a folder of the environment. */
export function jobFile({ HARNESS_OUTPUT_DIR: folder, HARNESS_JOB_ID: job }: JobEnv): string | undefined {
  if (!folder) return undefined;
  const name = job || NO_JOB;
  if (/[/\\\0]/.test(name) || name.startsWith("."))
    throw new CliError("usage", `HARNESS_JOB_ID names a file, so it cannot be "${name}": use letters, digits and "-".`);
  return join(folder, `${name}.txt`);
}
