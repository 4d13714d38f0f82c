import type { Effect } from "@harness/protocol";
import { knownGitSubcommands } from "../programs/git/reading.ts";
import { programsWith } from "../programs/programs.ts";
import { readStrictLine } from "../shell/strict-line.ts";
import { safeCommandVerdict } from "./safe-command.ts";

/** The command prefixes that run unasked as far as the table of programs and flags allows, for display. */
export function readOnlyPrefixes(): readonly string[] {
  const programs = programsWith("reads").filter((name) => name !== "git");
  return ["cd", ...programs, ...knownGitSubcommands.map((name) => `git ${name}`)];
}

/** How a prefix that the user adds relates to that list. */
export type PrefixCheck =
  | { use: "adds" }
  /** It already runs unasked whenever it only reads. */
  | { use: "known" }
  /** It would change nothing: the table takes precedence, or the prefix says too little. */
  | { use: "none"; reason: string };

/** Says if commands with this prefix would run unasked once it is added. */
export function checkPrefix(prefix: string): PrefixCheck {
  const line = readStrictLine(prefix);
  if ("outside" in line) return { use: "none", reason: line.outside };
  const place = { cwd: "/" };
  if (readOnlyPrefixes().includes(prefix) || "paths" in safeCommandVerdict(line, null, place)) return { use: "known" };
  const verdict = safeCommandVerdict(line, [prefix], place);
  return "reason" in verdict ? { use: "none", reason: verdict.reason } : { use: "adds" };
}

/** True if a command provably only reads. Text sent to a running process never does. */
export function isReadOnlyCommand({ command, cwd, sent }: Extract<Effect, { kind: "run" }>): boolean {
  const line = readStrictLine(command);
  return sent === undefined && !("outside" in line) && "paths" in safeCommandVerdict(line, null, { cwd });
}
