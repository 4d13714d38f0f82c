import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { byteStream, type Channel, lineChannel } from "@harness/protocol/wire";

export type ServerCommand = {
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  cwd: string;
  /** What the server says beside the protocol, line by line or in pieces; for a log, never for the screen. */
  onStderr(text: string): void;
};

/** How a server process ended: `code` of its own, or the signal that ended it, or why it could not start. */
export type ServerExit = { code: number | null; signal: string | null; problem?: string };

export type ServerProcess = {
  readonly channel: Channel;
  readonly pid: number | undefined;
  readonly exited: Promise<ServerExit>;
  /** Waits for the process to end by itself for so long, then ends it: SIGTERM, and SIGKILL a second later. */
  end(graceMs: number): Promise<ServerExit>;
};

/** Starts a server that speaks over its standard streams. Never throws: a failed start is an exit with a `problem`. */
export function spawnServer({ command, args, env, cwd, onStderr }: ServerCommand): ServerProcess {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(command, args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl+C in the terminal is the window's business: the signal must not reach the server's group.
    detached: true,
  });
  child.stderr.setEncoding("utf8").on("data", onStderr);
  const exited = new Promise<ServerExit>((resolve) => {
    child.once("error", (error) =>
      resolve({ code: null, signal: null, problem: `${command} did not start: ${error.message}` }),
    );
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  return {
    channel: lineChannel(byteStream({ readable: child.stdout, writable: child.stdin })),
    pid: child.pid,
    exited,
    async end(graceMs) {
      const terminate = setTimeout(() => child.kill("SIGTERM"), graceMs);
      const kill = setTimeout(() => child.kill("SIGKILL"), graceMs + 1000);
      const exit = await exited;
      clearTimeout(terminate);
      clearTimeout(kill);
      return exit;
    },
  };
}
