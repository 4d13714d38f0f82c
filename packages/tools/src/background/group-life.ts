import { type ChildProcess, spawn } from "node:child_process";
import type { OwnProcess } from "../process/own-process.ts";
import { aliveIn } from "../process/process-group.ts";
import { CALL_ID, startOf } from "../process/process-mark.ts";
import { hasMarkedMember } from "../process/process-table.ts";
import { explainStartError } from "../process/run-command.ts";
import { shellArgs, stayingCall } from "../process/shell.ts";
import type { KeptProcesses } from "./kept-file.ts";

/** How often to poll a group without its leader, or one of an earlier harness. */
const POLL_MS = 500;

export type GroupEnd = { exitCode?: number; signal?: string };

/** A process group in the background. */
export type GroupLife = {
  groupId: number;
  callId: string;
  /** When its leader started, in system ticks; "" if the system does not report it. */
  start: string;
  /** Resolves when no process of the group is left. Never rejects. */
  over: Promise<GroupEnd>;
  /** From now on it does not keep this process alive. */
  unref(): void;
};

type GroupStart = {
  command: string;
  words?: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** The descriptor of the output file. */
  descriptor: number;
  inputPath: string;
  own: OwnProcess;
  /** Checked at the last moment: why it must not start. */
  refusal(): string | undefined;
};

/** Starts a command in its own process group, or returns why it was not started. */
export async function startGroup(start: GroupStart): Promise<GroupLife | { problem: string }> {
  const { command, cwd, env, descriptor, inputPath, own } = start;
  const words = start.words ?? (await shellArgs(command, env.PATH ?? ""));
  const { file, args } = stayingCall(words, inputPath, own);
  const refusal = start.refusal();
  if (refusal !== undefined) return { problem: refusal };
  let child: ChildProcess;
  try {
    child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", descriptor, descriptor] });
  } catch (error) {
    return { problem: explainStartError(error) };
  }
  const exited = new Promise<GroupEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => resolve(signal ? { signal } : { exitCode: exitCode ?? 0 }));
  });
  const groupId = child.pid;
  if (groupId === undefined) {
    return exited.then(
      () => ({ problem: "the system did not start it" }),
      (error) => ({ problem: explainStartError(error) }),
    );
  }
  const over = exited
    .catch(() => ({}))
    .then(async (end) => {
      // Processes that it started may continue, as after `npm start &`.
      await untilEmpty(groupId);
      return end;
    });
  return { groupId, callId: env[CALL_ID] ?? "", start: startOf(groupId) ?? "", over, unref: () => child.unref() };
}

/** A group that an earlier harness started; undefined: it has ended. */
export function foundGroup({ groupId, callId, start }: KeptProcesses): GroupLife | undefined {
  const begun = startOf(groupId);
  // Without its leader, as after `npm start &`, the marks of its processes decide. Without start times nothing can be
  // compared.
  const isOurs = begun === undefined && start !== "" ? hasMarkedMember(groupId, callId) : (begun ?? "") === start;
  if (!isOurs || !isThere(groupId)) return undefined;
  return { groupId, callId, start, over: untilEmpty(groupId).then(() => ({})), unref: () => undefined };
}

function isThere(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilEmpty(groupId: number): Promise<void> {
  while ((await aliveIn(groupId)).length > 0) await pause(POLL_MS);
}

/** Does not keep this process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
