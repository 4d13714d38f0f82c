import type { ToolResult } from "@harness/core";
import { amount, byteSize, exitCodeInWords, signalInWords } from "@harness/protocol";
import { type CapturedOutput, MAX_OUTPUT_BYTES } from "./output-capture.ts";
import type { CommandEnd } from "./run-command.ts";

/** The longest timeout that the model may ask for. */
export const MAX_TIMEOUT_MS = 600_000;

/** The output of a command and how it ended, for the model and for people. */
export function commandResult(
  command: string,
  { output, end }: { output: CapturedOutput; end: CommandEnd },
  notes: readonly (string | undefined)[],
  { timeoutMs, ...place }: { timeoutMs: number; sandboxed?: boolean },
): ToolResult {
  const stopped = stoppedText(end, timeoutMs);
  const text = output.text.replace(/\n$/, "");
  const lines = notes.filter((note) => note !== undefined);
  const good = end.reason === "exited" && end.exitCode === 0;
  return {
    status: good ? "ok" : "error",
    text: [text === "" ? "(no output)" : text, ...lines].join("\n"),
    blocks: [
      {
        type: "terminal",
        command,
        output: text,
        exitCode: end.exitCode,
        ...(end.signal ? { signal: end.signal } : {}),
        ...(stopped === undefined ? {} : { stopped }),
        durationMs: end.durationMs,
        ...(output.fullOutputPath ? { fullOutputPath: output.fullOutputPath } : {}),
        ...place,
      },
    ],
  };
}

/**
 * Notes that the output itself does not contain. Without times and ids, so that the same result always reads the same.
 */
export function commandNotes(
  output: CapturedOutput,
  end: CommandEnd,
  timeoutMs: number,
  moreTime = timeoutMs < MAX_TIMEOUT_MS ? `Allow more with timeout_ms (up to ${MAX_TIMEOUT_MS}), or do less.` : "",
): string[] {
  const notes: string[] = [];
  if (output.notText)
    notes.push("[the output contained bytes that are not text; they were left out or shown as \uFFFD]");
  if (end.leftRunning.length > 0) {
    const who = end.leftRunning.join(", ");
    notes.push(`[still running in the background when the command ended, and stopped: ${who}]`);
  }
  if (end.maybeLeft.length > 0) {
    notes.push(`[may be left running, as a daemon of its own: ${end.maybeLeft.join(", ")}]`);
  }
  if (end.survivors.length > 0) notes.push(`[could not be stopped: ${end.survivors.join(", ")}]`);
  const stopped = stoppedText(end, timeoutMs);
  if (end.reason === "timeout")
    notes.push(`[${stopped}, with everything it had started. ${moreTime}]`.replace(" ]", "]"));
  else if (end.reason === "cancelled") notes.push(`[${stopped}, with everything it had started]`);
  else if (stopped !== undefined) notes.push(`[${stopped}]`);
  else if (end.signal) notes.push(`[ended by ${signalInWords(end.signal)}]`);
  else if (end.exitCode !== 0)
    notes.push(`[exit code ${end.exitCode === null ? "unknown" : exitCodeInWords(end.exitCode)}]`);
  return notes;
}

/** Why a command was stopped; undefined: it ended by itself. */
function stoppedText({ reason }: CommandEnd, timeoutMs: number): string | undefined {
  if (reason === "exited") return undefined;
  if (reason === "cancelled") return "cancelled: stopped";
  if (reason === "output") return `stopped: more than ${byteSize(MAX_OUTPUT_BYTES)} of output`;
  const after = timeoutMs % 1000 === 0 ? amount(timeoutMs / 1000, "second") : `${timeoutMs} ms`;
  return `stopped: not finished after ${after}`;
}
