import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Environment, type ProgramResult, passedEnvironment, runProgram } from "@harness/host";

const ENGINES = ["docker", "podman"] as const;
/** Where the server of a container engine is: its clients need that beside the basics. */
const VARIABLES = [
  "DOCKER_HOST",
  "DOCKER_CONTEXT",
  "DOCKER_CONFIG",
  "CONTAINER_HOST",
  "XDG_RUNTIME_DIR",
  "XDG_DATA_HOME",
];
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_SHOWN = 500;

export type EngineRun = {
  args: readonly string[];
  timeoutMs: number;
  signal: AbortSignal;
  /** Added to the environment. Every user of the machine sees the arguments, so secrets go here. */
  variables?: Readonly<Record<string, string>>;
};

/** Docker, or podman, which takes the same arguments. */
export class ContainerProgram {
  readonly name: string;
  readonly #path: string;
  readonly #env: Environment;

  private constructor(name: string, path: string, env: Environment) {
    this.name = name;
    this.#path = path;
    this.#env = env;
  }

  /** The first that is installed. */
  static find(env: Environment): ContainerProgram | undefined {
    for (const name of ENGINES) {
      for (const folder of (env.PATH ?? "").split(delimiter)) {
        const path = join(folder, name);
        if (folder !== "" && isExecutable(path)) return new ContainerProgram(name, path, env);
      }
    }
    return undefined;
  }

  run({ args, timeoutMs, signal, variables = {} }: EngineRun): Promise<ProgramResult> {
    const env = { ...passedEnvironment(this.#env, VARIABLES), ...variables };
    const limits = { timeoutMs, signal, maxOutputBytes: MAX_OUTPUT_BYTES };
    return runProgram({ path: this.#path, args, cwd: "/", env, ...limits });
  }
}

/** Says in one line what went wrong. */
export function runFailure({ problem, timedOut, stderr, stdout, code }: ProgramResult): string {
  if (problem !== undefined) return problem;
  if (timedOut) return "it took too long";
  const said = (stderr.trim() === "" ? stdout : stderr).trim().replace(/\s+/g, " ").slice(-MAX_SHOWN);
  return said === "" ? `it ended with exit code ${code}` : said;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
