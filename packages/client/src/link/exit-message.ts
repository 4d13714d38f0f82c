import { signalInWords } from "@harness/protocol/text";
import type { ServerExit } from "../spawn.ts";

const MAX_REASON = 200;

/** Why the server has exited, in a few words; `stderr` is the end of its stderr. */
export function exitMessage({ code, signal, problem }: ServerExit, stderr: string): string {
  const how =
    problem ?? (signal ? `it was killed by ${signalInWords(signal)}` : `it ended with code ${code ?? "unknown"}`);
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    // The last line of a failing Node is its version.
    .filter((line) => line !== "" && !/^Node\.js v\d/.test(line));
  const why = lines.findLast((line) => /^(Uncaught )?\w*Error\b.*:/.test(line)) ?? lines.at(-1);
  return why === undefined ? how : `${how}: ${why.slice(0, MAX_REASON)}`;
}
