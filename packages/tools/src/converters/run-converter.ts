import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { atExit } from "@harness/host";

/** `folder` and `name`: the converter's own module, which is next to this code in the bundle. `data`: its input. */
export type Conversion = {
  folder: string;
  name: string;
  data: unknown;
  maxMs: number;
  maxMemoryMb: number;
  signal: AbortSignal;
};

/**
 * `$1` = seconds of processor time, then the program: leaves no core file, has a large stack, and ends by itself if
 * nobody is left to end it.
 */
const LIMITED = 'ulimit -c 0; ulimit -t "$1"; ulimit -S -s 20480 2>/dev/null; shift; exec "$@"';
const STACK_KB = 16_000;

/**
 * Runs a converter in a separate process with limits of time and memory, because content is untrusted. Undefined if it
 * fails, takes too long, or is cancelled. Never rejects. A worker thread would not do: if it runs out of memory, the
 * whole process dies, and after a start from a snapshot so does any uncaught error in a thread.
 */
export async function runConverter({ folder, name, data, ...limits }: Conversion): Promise<unknown> {
  const { spawn } = await import("node:child_process");
  const { maxMs, maxMemoryMb, signal } = limits;
  if (signal.aborted) return undefined;
  const isSource = import.meta.filename.endsWith(".ts");
  const entry = isSource ? join(folder, `${name}.ts`) : join(import.meta.dirname, `${name}.mjs`);
  const seconds = String(Math.ceil(maxMs / 1000) + 1);
  const node = [process.execPath, `--max-old-space-size=${maxMemoryMb}`, `--stack-size=${STACK_KB}`, entry];
  const child = spawn("/bin/sh", ["-c", LIMITED, "sh", seconds, ...node], {
    cwd: "/",
    env: {},
    // Its own group, because Ctrl+C in the terminal is not meant for it.
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  return await answerOf(child, data, { maxMs, signal });
}

function answerOf(
  child: ChildProcess,
  data: unknown,
  { maxMs, signal }: { maxMs: number; signal: AbortSignal },
): Promise<unknown> {
  return new Promise((resolve) => {
    const kill = () => child.kill("SIGKILL");
    const keepsToUs = atExit(kill);
    const end = (answer?: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      keepsToUs();
      kill();
      resolve(answer);
    };
    const stop = () => end();
    const timer = setTimeout(stop, maxMs);
    signal.addEventListener("abort", stop, { once: true });
    child.once("message", (answer) => end((answer as { converted?: unknown } | null)?.converted));
    child.on("error", stop);
    child.once("exit", stop);
    // It may have ended already, which its exit reports.
    child.send({ convert: data }, () => undefined);
  });
}
