import type { ToolApproval } from "@harness/core";
import { childEnvironment } from "./environment/child-environment.ts";
import { realPathNow } from "./files/judged-path.ts";
import type { PathWatch } from "./files/path-watch.ts";
import type { CallMark } from "./process/process-mark.ts";
import type { CommandRun } from "./process/run-command.ts";
import { shellArgs, startFileOutside } from "./process/shell.ts";
import type { WorkingFolder } from "./process/working-folder.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { type ContainedEnd, notContained } from "./sandbox/sandbox-notes.ts";

/** The process to start for a call, and its folder. */
export type BashStart = {
  run: Pick<CommandRun, "command" | "words" | "startFile" | "isPosix" | "cwd" | "env">;
  isContained: boolean;
  /** For a command that only reads: the paths that it was allowed to read. */
  paths?: PathWatch;
  /** Why it runs without a sandbox although one is wanted. */
  unsandboxed?: string;
  /** Call after the command; undefined: there is no sandbox. */
  end(): Promise<ContainedEnd | undefined>;
};

type Call = { command: string; outside_sandbox?: boolean | undefined };
type Surroundings = {
  extraEnv: Readonly<Record<string, string | null>>;
  sandbox?: Sandbox | undefined;
  mark: CallMark;
};

/**
 * Decides what runs: exactly what was checked if a command was allowed without asking; in the sandbox if the gate
 * requires it. Never outside a sandbox that must be used.
 */
export async function bashStart(
  call: Call,
  approval: ToolApproval,
  folder: WorkingFolder,
  { extraEnv, sandbox, mark }: Surroundings,
): Promise<BashStart | { problem: string }> {
  // If the session's folder no longer exists, its empty replacement counts as the workspace.
  const roots = folder.isStandIn ? [...approval.roots, folder.path] : approval.roots;
  const real = lookedUpOnce();
  const env = childEnvironment(process.env, extraEnv, mark, { roots, real });
  const cwd = folder.path;
  const startFile = startFileOutside(roots);
  let run: BashStart["run"] = { command: call.command, startFile, cwd, env };
  let paths: PathWatch | undefined;
  if (approval.checked) {
    const { checkedCommand } = await import("./process/checked-command.ts");
    const { checked: line, hides } = approval;
    const checked = await checkedCommand(line, { cwd, roots, env, real, ...(hides && { hides }) });
    if ("problem" in checked) return checked;
    run = { command: checked.script, startFile, isPosix: checked.isPosix, cwd, env: checked.env };
    paths = checked.paths;
  }
  const plain = { run, isContained: false, ...(paths && { paths }), end: () => Promise.resolve(undefined) };
  if (!sandbox || sandbox.wanted === "off") return plain;
  // Commands that only read were proved harmless, and the user allowed those that run outside.
  if (!approval.sandboxed && (approval.checked || call.outside_sandbox === true)) return plain;
  await sandbox.ready();
  if (approval.sandboxed && sandbox.active) {
    const start = await contained(run, roots, sandbox);
    if ("problem" in start) paths?.close();
    return "problem" in start ? start : { ...start, ...(paths && { paths }) };
  }
  if (approval.sandboxed || sandbox.wanted === "on") {
    paths?.close();
    return { problem: notContained(sandbox.why) };
  }
  return { ...plain, unsandboxed: sandbox.why ?? "the gate let it run outside" };
}

/** For one command, whose environment is built in two steps that both resolve all folders of the search path. */
function lookedUpOnce(): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    const real = known.get(path) ?? realPathNow(path);
    known.set(path, real);
    return real;
  };
}

async function contained(
  run: BashStart["run"],
  roots: readonly string[],
  sandbox: Sandbox,
): Promise<BashStart | { problem: string }> {
  const argv = await shellArgs(run.command, run.env.PATH ?? "");
  const start = await sandbox.contain({ argv, cwd: run.cwd, roots });
  if ("problem" in start)
    return {
      problem:
        `The command was not run, because the sandbox cannot contain it: ${start.problem}. If it is needed, run it with ` +
        "outside_sandbox: true; the person is asked.",
    };
  const env = { ...run.env, ...start.env };
  return { run: { ...run, words: start.argv, env }, isContained: true, end: () => start.end() };
}
