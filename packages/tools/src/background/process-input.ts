import { closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { errorCode } from "@harness/host";
import { fileProblem } from "../files/file-problem.ts";

/**
 * The named pipe that a process reads its input from. The process itself holds it open, so that the input never ends.
 */
export function inputPathOf(outputPath: string): string {
  return `${outputPath}.in`;
}

const TAKES_NONE = "it takes no input";
const RETRY_MS = 10;

/**
 * Writes to the input of a process; returns why it could not. Waits only for a process that has not opened its input yet, as
 * long as `isStarting`.
 */
export async function sendWhenOpen(path: string, text: string, isStarting: () => boolean): Promise<string | undefined> {
  for (;;) {
    const problem = sendInput(path, text);
    if (problem !== TAKES_NONE || !isStarting()) return problem;
    await setTimeout(RETRY_MS);
  }
}

function sendInput(path: string, text: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENXIO" || code === "ENOENT") return TAKES_NONE;
    if (code === "EAGAIN") return "it has not read what it was sent before";
    return fileProblem(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function removeInput(path: string): void {
  rmSync(path, { force: true });
}
