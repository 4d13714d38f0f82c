import { closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import { errorCode } from "@harness/host";
import { fileProblem } from "../files/file-problem.ts";

/**
 * The named pipe that a process reads its input from. The process itself holds it open, so that the input never ends.
 */
export function inputPathOf(outputPath: string): string {
  return `${outputPath}.in`;
}

/** Writes to the input of a process; returns why it could not. Never waits. */
export function sendInput(path: string, text: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENXIO" || code === "ENOENT") return "it takes no input";
    if (code === "EAGAIN") return "it has not read what it was sent before";
    return fileProblem(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function removeInput(path: string): void {
  rmSync(path, { force: true });
}
