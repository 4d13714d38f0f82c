import { type ChildProcess, spawn } from "node:child_process";
import { byteStream, type Channel, lineChannel, linkedPair } from "@harness/protocol/wire";

export type SpawnOptions = {
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  cwd: string;
  /** It stays in the group of this process, and may ask on the terminal. */
  sharesTerminal?: true;
  /** Output of the server besides the protocol, in pieces; for a log, never for the screen. */
  onStderr(text: string): void;
};

/** How a server process ended: its exit code, the signal that ended it, or why it could not start. */
export type ServerExit = { code: number | null; signal: string | null; problem?: string };

export type ServerProcess = {
  readonly channel: Channel;
  readonly pid: number | undefined;
  /** Resolves once, after all output of the server, and never rejects. */
  readonly exited: Promise<ServerExit>;
  /** Waits `graceMs` for the process to end by itself, then sends SIGTERM, and SIGKILL a second later. */
  end(graceMs: number): Promise<ServerExit>;
  /** Lets it go on by itself, also where `end` waits for it. */
  release(): void;
};

/** The wait for the last output of a dead server, because a process that it started may hold its pipes open forever. */
const LAST_WORDS_MS = 200;
const KILL_AFTER_MS = 1000;

/** The largest fact of a stored session, in UTF-16 units: the server is a program of the same user. */
const MAX_JOINED_LENGTH = 256 * 1024 * 1024;

/** Starts a server that uses its standard streams. Never throws: a failed start is an exit with a `problem`. */
export function spawnServer({ command, args, env, cwd, sharesTerminal, onStderr }: SpawnOptions): ServerProcess {
  let child: ChildProcess;
  try {
    // The window handles the terminal's Ctrl+C: the signal must not reach the server's group.
    child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: !sharesTerminal });
  } catch (error) {
    return neverStarted(startProblem(command, error));
  }
  const exited = exitOf(command, child);
  const { stdin, stdout, stderr } = child;
  // Too many open files: there are not even pipes.
  if (!stdin || !stdout || !stderr) return neverStarted(exited);
  stderr.setEncoding("utf8").on("data", onStderr);
  const timers: NodeJS.Timeout[] = [];
  const stopTimers = () => {
    for (const timer of timers.splice(0)) clearTimeout(timer);
  };
  return {
    channel: lineChannel(byteStream({ readable: stdout, writable: stdin }), { maxJoinedLength: MAX_JOINED_LENGTH }),
    pid: child.pid,
    exited,
    async end(graceMs) {
      timers.push(setTimeout(() => child.kill("SIGTERM"), graceMs));
      timers.push(setTimeout(() => child.kill("SIGKILL"), graceMs + KILL_AFTER_MS));
      const exit = await exited;
      stopTimers();
      return exit;
    },
    release() {
      stopTimers();
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
      child.unref();
    },
  };
}

function exitOf(command: string, child: ChildProcess): Promise<ServerExit> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(startProblem(command, error)));
    child.once("close", (code, signal) => resolve({ code, signal }));
    child.once("exit", (code, signal) => setTimeout(() => resolve({ code, signal }), LAST_WORDS_MS));
  });
}

function startProblem(command: string, error: unknown): ServerExit {
  const why = error instanceof Error ? error.message : String(error);
  return { code: null, signal: null, problem: `${command} did not start: ${why}` };
}

function neverStarted(exit: ServerExit | Promise<ServerExit>): ServerProcess {
  const [channel, nobody] = linkedPair();
  nobody.destroy();
  const exited = Promise.resolve(exit);
  return { channel, pid: undefined, exited, end: () => exited, release: () => undefined };
}
