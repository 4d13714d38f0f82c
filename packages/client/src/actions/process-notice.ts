import type { ProcessItem } from "@harness/protocol";
import { exitCodeInWords, signalInWords } from "@harness/protocol/text";

const MAX_COMMAND = 60;

/** A notice that a background process ended, or printed what its agent waits for. */
export function processNotice(item: ProcessItem): {
  severity: "info" | "warning";
  title: string;
  description?: string;
} {
  const { processId, command, matched, lastLines, note } = item;
  const line = command.replace(/\s+/g, " ");
  const shown = line.length > MAX_COMMAND ? `${line.slice(0, MAX_COMMAND - 1)}…` : line;
  if (matched !== undefined) return { severity: "info", title: `${processId} (${shown}) printed: ${matched}` };
  const isBad = item.state === "interrupted" || item.signal !== undefined || (item.exitCode ?? 0) !== 0;
  const description = [lastLines, note].filter((each) => each !== undefined).join("\n");
  return {
    severity: isBad && item.stoppedBy === undefined ? "warning" : "info",
    title: `${processId} (${shown}) ${processEnd(item)}.`,
    ...(description === "" ? {} : { description }),
  };
}

/** How a process ended, as the end of a sentence about it. */
function processEnd({ state, stoppedBy, signal, exitCode }: Omit<ProcessItem, "kind" | "id" | "at">): string {
  if (state === "interrupted") return "was ended, because harness was killed";
  if (state === "stopped") return stoppedBy === "session" ? "ended with its session" : "was stopped";
  if (signal !== undefined) return `was killed by ${signalInWords(signal)}`;
  return exitCode === undefined ? "has ended" : `ended with exit code ${exitCodeInWords(exitCode)}`;
}
