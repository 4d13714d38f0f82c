import { join } from "node:path";
import type { Transferable } from "node:worker_threads";

/**
 * `folder` and `name`: of the thread's own module; in the bundle it lies beside this code. `data` is what it gets, of
 * which `transfer` is handed over.
 */
export type ThreadWork = {
  folder: string;
  name: string;
  data: unknown;
  transfer?: Transferable[];
  maxMs: number;
  maxMemoryMb: number;
  signal: AbortSignal;
};

/**
 * The first message of a thread of its own: for untrusted content, with limits of time and memory, while this program
 * goes on. Undefined when it fails, takes too long, or is cancelled. Never rejects.
 */
export async function runInThread({ folder, name, data, transfer, ...limits }: ThreadWork): Promise<unknown> {
  const { Worker } = await import("node:worker_threads");
  const { maxMs, maxMemoryMb, signal } = limits;
  const isSource = import.meta.filename.endsWith(".ts");
  return new Promise((resolve) => {
    const thread = new Worker(isSource ? join(folder, `${name}.ts`) : join(import.meta.dirname, `${name}.mjs`), {
      workerData: data,
      ...(transfer ? { transferList: transfer } : {}),
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, stackSizeMb: 16 },
    });
    const end = (message?: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      void thread.terminate();
      resolve(message);
    };
    const stop = () => end();
    const timer = setTimeout(stop, maxMs);
    signal.addEventListener("abort", stop, { once: true });
    thread.once("message", end);
    thread.once("error", stop);
    thread.once("exit", stop);
    if (signal.aborted) stop();
  });
}
