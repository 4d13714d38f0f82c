import type { ChildProcess } from "node:child_process";
import { readlinkSync } from "node:fs";
import { errorCode } from "@harness/host";
import { fileProblem } from "../files/file-problem.ts";
import { maybeLeftBy } from "./escaped-daemons.ts";
import type { OwnProcess } from "./own-process.ts";
import { aliveIn, type Call, endGroup, endWithUs, escapedFrom, leftAfter, settlesWithin } from "./process-group.ts";
import { CALL_ID, startOf } from "./process-mark.ts";
import type { RunningProcess } from "./process-table.ts";
import { lineCall, shellCall } from "./shell.ts";

/** The time that a command gets after SIGTERM. */
const GRACE_MS = 2000;
/** How long output may be silent after the shell has ended before background processes are assumed to hold it. */
const QUIET_MS = 100;
const MAX_SETTLE_MS = 1000;

export type CommandRun = {
  command: string;
  /** The process to start, such as a sandbox around the command; absent: a shell. */
  words?: readonly string[];
  /**
   * A file that bash reads before the command; absent: the shell is prepared in a different way (see
   * `startFileOutside`).
   */
  startFile?: string | undefined;
  /** True if any shell runs the command as bash does, so that the system's faster one can. */
  isPosix?: boolean;
  cwd: string;
  /** Must contain a unique call id. */
  env: Record<string, string>;
  /** Its stdin; absent: it has no input. */
  input?: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** The process that starts it. */
  own: OwnProcess;
  graceMs?: number;
  /** Receives both outputs; returns false to end the command. */
  take(bytes: Buffer): boolean;
};

export type CommandEnd = {
  reason: "exited" | "timeout" | "cancelled" | "output";
  exitCode: number | null;
  signal?: string;
  durationMs: number;
  /** Names of processes that outlived the shell and were ended. */
  leftRunning: string[];
  /** Names of processes that may have left the command for good, although nothing proves that they belonged to it. */
  maybeLeft: string[];
  /** The names of processes that could not be ended. */
  survivors: string[];
};

type Exit = { exitCode: number | null; signal?: string };

/**
 * Runs a command line in its own process group, without a terminal, and leaves nothing of it running: not after a
 * timeout, not after a cancel, and not in the background. A daemon with its own session and outputs is left alone if
 * the command ends by itself. Never throws.
 */
export async function runCommand(run: CommandRun): Promise<CommandEnd | { problem: string }> {
  const started = performance.now();
  const { spawn } = await import("node:child_process");
  const line = await (run.words ? shellCall(run.words, run, run.own) : lineCall(run, run.own));
  // Nothing is awaited between this check and the start.
  if (run.signal.aborted) return { problem: "it was cancelled before that" };
  let child: ChildProcess;
  try {
    const input = run.input === undefined ? "ignore" : "pipe";
    child = spawn(line.file, line.args, {
      cwd: run.cwd,
      env: { ...run.env, ...line.env },
      detached: true,
      stdio: [input, "pipe", "ignore"],
    });
  } catch (error) {
    return { problem: explainStartError(error) };
  }
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => resolve(signal ? { exitCode, signal } : { exitCode }));
  });
  // A program may end without having read all of it.
  child.stdin?.on("error", () => undefined).end(run.input);
  // Without a process id nothing was started; `exited` has the reason.
  const groupId = child.pid;
  if (groupId === undefined) return exited.then(neverStarted, (error) => ({ problem: explainStartError(error) }));
  const call = { groupId, callId: run.env[CALL_ID] ?? "", output: outputOf(groupId) };
  const begun = { groupId, callId: call.callId, start: startOf(groupId) ?? "0", cwd: run.cwd };
  const output = watchOutput(child, run.take);
  const stop = watchStop(run, output.full);
  const isOver = endWithUs(groupId);
  try {
    const first = await Promise.race([exited, stop.reason]);
    const end =
      typeof first === "string" ? await waitForEnd(run, call, exited) : await settled(call, output, line.helper);
    const exit = typeof first === "string" ? await lastWord(exited) : first;
    const reason = typeof first === "string" ? first : "exited";
    const maybeLeft = names(maybeLeftBy(begun)).filter((name) => !end.survivors.includes(name));
    return { reason, ...exit, ...end, maybeLeft, durationMs: Math.round(performance.now() - started) };
  } catch (error) {
    return { problem: explainStartError(error) };
  } finally {
    isOver();
    stop.forget();
    child.stdout?.destroy();
  }
}

/**
 * The system's name for the command's output; undefined if there is none, or the command has ended. Only for its own
 * pipe: a file or a device such as /dev/null would also match other processes.
 */
function outputOf(pid: number): string | undefined {
  try {
    const name = readlinkSync(`/proc/${pid}/fd/1`);
    return /^(?:socket|pipe):\[\d+\]$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

function neverStarted(): { problem: string } {
  return { problem: "the system did not start it" };
}

/** Why a process could not be started, in words. */
export function explainStartError(error: unknown): string {
  const code = errorCode(error);
  if (code === "E2BIG") return "the command is too long for the system; write it to a file and run that";
  if (code === "EAGAIN") return "the limit of processes is reached";
  return fileProblem(error);
}

type Output = { full: Promise<"output">; closed: Promise<void>; isClosed(): boolean; receivedBytes(): number };

function watchOutput(child: ChildProcess, take: (bytes: Buffer) => boolean): Output {
  let receivedBytes = 0;
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    child.stdout?.once("close", () => {
      isClosed = true;
      resolve();
    });
  });
  const full = new Promise<"output">((resolve) => {
    child.stdout?.on("data", (bytes: Buffer) => {
      receivedBytes += bytes.length;
      if (take(bytes)) return;
      // Processes that still write get SIGPIPE.
      child.stdout?.destroy();
      resolve("output");
    });
  });
  return { full, closed, isClosed: () => isClosed, receivedBytes: () => receivedBytes };
}

type StopReason = Exclude<CommandEnd["reason"], "exited">;

function watchStop(run: CommandRun, full: Promise<"output">): { reason: Promise<StopReason>; forget(): void } {
  let timer: NodeJS.Timeout | undefined;
  let cancel: () => void = () => undefined;
  const request = new Promise<StopReason>((resolve) => {
    timer = setTimeout(() => resolve("timeout"), run.timeoutMs);
    cancel = () => resolve("cancelled");
    run.signal.addEventListener("abort", cancel, { once: true });
    if (run.signal.aborted) cancel();
    full.then(resolve, () => undefined);
  });
  const forget = () => {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", cancel);
  };
  return { reason: request, forget };
}

type Remains = Pick<CommandEnd, "leftRunning" | "survivors">;

async function waitForEnd(run: CommandRun, call: Call, exited: Promise<Exit>): Promise<Remains> {
  const survivors = await endGroup(call, run.graceMs ?? GRACE_MS);
  await settlesWithin(QUIET_MS, exited);
  return { leftRunning: [], survivors: names(survivors) };
}

/** After the shell has ended: takes the rest from the pipe, then ends background processes. */
async function settled(call: Call, output: Output, helper?: string): Promise<Remains> {
  const { groupId } = call;
  const deadline = performance.now() + MAX_SETTLE_MS;
  for (let before = -1; !output.isClosed() && output.receivedBytes() !== before && performance.now() < deadline; ) {
    before = output.receivedBytes();
    await settlesWithin(QUIET_MS, output.closed);
  }
  let left: RunningProcess[];
  if (output.isClosed()) {
    left = (await aliveIn(groupId)).length > 0 ? await leftAfter(groupId, QUIET_MS) : [];
  } else {
    // A process still holds the output: a member of the group, or one that left it.
    left = (await escapedFrom(call)) ?? (await aliveIn(groupId));
  }
  if (left.length === 0) return { leftRunning: [], survivors: [] };
  const survivors = await endGroup(call, QUIET_MS);
  await settlesWithin(QUIET_MS, output.closed);
  return { leftRunning: names(left, helper), survivors: names(survivors, helper) };
}

function names(running: readonly RunningProcess[], helper?: string): string[] {
  const all = running.map(({ name }) => name || "processes that it had started");
  const ours = helper ? all.indexOf(helper) : -1;
  return [...new Set(ours === -1 ? all : all.toSpliced(ours, 1))];
}

async function lastWord(exited: Promise<Exit>): Promise<Exit> {
  return (await settlesWithin(QUIET_MS, exited)) ? exited : { exitCode: null };
}
