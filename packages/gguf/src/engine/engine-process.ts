import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type Environment, programEnvironment } from "@harness/host";
import { signalInWords } from "@harness/protocol";
import type { Report, WorkerCommand } from "../worker/messages.ts";

const KEPT_CHARS = 8_192;
const MAX_LINES = 3;
/** Variables that choose among several graphics cards, and that locate their libraries. */
const DEVICE_VARIABLES = ["LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GGML_VK_VISIBLE_DEVICES"];

/** A process that runs one model. It ends with us, even if we are killed, because the pipe between us closes. */
export class EngineProcess {
  readonly #child: ChildProcess;
  #log = "";
  #isOver = false;

  constructor(env: Environment, onReport: (report: Report) => void, onEnd: (how: string) => void) {
    this.#child = fork(entry(), [], {
      env: programEnvironment(env, DEVICE_VARIABLES, {}),
      execArgv: [],
      serialization: "json",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const end = (how: string) => {
      if (this.#isOver) return;
      this.#isOver = true;
      onEnd(how);
    };
    this.#child.on("message", (report: Report) => onReport(report));
    this.#child.once("error", (error) => end(`could not be started (${error.message})`));
    // After `close` all of its output has arrived.
    this.#child.once("close", (code, signal) => end(describeEnd(code, signal)));
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#log = (this.#log + text).slice(-KEPT_CHARS);
      });
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last lines of what llama.cpp and Node printed. */
  get lastOutput(): string {
    const lines = this.#log.split("\n").filter((line) => line.trim() !== "");
    return lines.slice(-MAX_LINES).join("\n").slice(-1_000);
  }

  send(command: WorkerCommand): void {
    // A broken pipe shows as the end of the process.
    if (this.#child.connected) this.#child.send(command, () => undefined);
  }

  /** Whether this program keeps running while nothing but the model's process is left. */
  set keepsProcessAlive(keeps: boolean) {
    const { channel } = this.#child;
    if (keeps) {
      this.#child.ref();
      channel?.ref();
    } else {
      this.#child.unref();
      channel?.unref();
    }
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      const socket = stream as { ref?(): void; unref?(): void } | null;
      if (keeps) socket?.ref?.();
      else socket?.unref?.();
    }
  }

  /** It has nothing to lose. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

/** The bundle's own entry next to this code, or its source if run from source. */
function entry(): string {
  const here = import.meta.dirname;
  return import.meta.filename.endsWith(".ts") ? join(here, "../worker/main.ts") : join(here, "gguf-worker.mjs");
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === "SIGKILL") return "was killed by SIGKILL, as happens when memory runs out";
  return signal === null ? `ended with exit code ${code}` : `was killed by ${signalInWords(signal)}`;
}
