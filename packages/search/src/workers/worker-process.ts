import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type Environment, programEnvironment } from "@harness/host";

/** `bundled`: the name of the program in the bundle; `source`: its module, relative to this folder. */
export type WorkerProgram = { bundled: string; source: string; nodeFlags?: readonly string[] };

export type WorkerEvents<Report> = {
  onReport(report: Report): void;
  /** `how`: such as `was killed by SIGKILL`. Called once. */
  onEnd(how: string): void;
};

/**
 * A process of harness's own that answers messages. It ends with this program, even if that is killed, because the pipe
 * between them closes.
 */
export class WorkerProcess<Command extends object, Report> {
  readonly #child: ChildProcess;
  #isOver = false;

  constructor(program: WorkerProgram, env: Environment, { onReport, onEnd }: WorkerEvents<Report>) {
    this.#child = fork(entryOf(program), [], {
      env: programEnvironment(env, [], {}),
      execArgv: [...(program.nodeFlags ?? [])],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const end = (how: string) => {
      if (!this.#isOver) onEnd(how);
      this.#isOver = true;
    };
    this.#child.on("message", (report: Report & object) => onReport(report));
    this.#child.once("error", (error) => end(`could not be started (${error.message})`));
    this.#child.once("exit", (code, signal) =>
      end(signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`),
    );
  }

  send(command: Command): void {
    // A broken pipe shows as the end of the process.
    if (this.#child.connected) this.#child.send(command, () => undefined);
  }

  /** Whether this program keeps running while nothing but the worker is left. */
  set keepsProcessAlive(keeps: boolean) {
    for (const part of [this.#child, this.#child.channel]) {
      if (keeps) part?.ref();
      else part?.unref();
    }
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

/** The bundle's own entry next to this code, or its source if run from source. */
function entryOf({ bundled, source }: WorkerProgram): string {
  const here = import.meta.dirname;
  return import.meta.filename.endsWith(".ts") ? join(here, source) : join(here, bundled);
}
