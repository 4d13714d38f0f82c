import type { CommandLine } from "../command-line/command-line.ts";
import { CliError } from "../process/exit-codes.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

/** Finds or makes the worktree that `--in-worktree` names. */
export function worktreeFolder(found: (path: string) => void): SubcommandHandler {
  return async ({ client, line, cwd, note }) => {
    if (line.has("resume"))
      throw new CliError("usage", "--in-worktree and --resume cannot be combined: a session goes on where it was.");
    const name = line.value("in-worktree") ?? "";
    const { path, branch, isNew, leftOut } = await client.call("workspace/worktree", { cwd, name });
    const without = leftOut === undefined ? "" : ` Missing there: ${leftOut}.`;
    if (isNew && !line.has("quiet")) note(`harness: made the worktree ${path}, on the branch ${branch}.${without}`);
    found(path);
    return "done";
  };
}

/** The same line, in another folder. */
export function inFolder(line: CommandLine, path: string): CommandLine {
  return {
    ...line,
    has: (flag) => flag === "cd" || line.has(flag),
    value: (flag) => (flag === "cd" ? path : line.value(flag)),
  };
}
