import type { ToolApproval, ToolContext, ToolResult } from "@harness/core";
import { cancelledResult, errorResult } from "@harness/core";
import { runProblem } from "@harness/host";
import type { EncodingSettings } from "../encodings/file-encoding.ts";
import { commandNotes, commandResult } from "../process/command-result.ts";
import { createLiveOutput } from "../process/live-output.ts";
import { createOutputCapture } from "../process/output-capture.ts";
import { OwnProcess } from "../process/own-process.ts";
import { callMark, newCallId } from "../process/process-mark.ts";
import { type CommandRun, runCommand } from "../process/run-command.ts";
import { openWorkingFolder } from "../process/working-folder.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { type ContainedEnd, notContained } from "../sandbox/sandbox-notes.ts";

/** The shell's exit codes if a program is not found or may not be run. */
const NOT_RUN = new Set([126, 127]);

/** An executable that is a tool, and one call of it. */
export type ProgramCall = EncodingSettings & {
  /** Absolute. */
  path: string;
  args: readonly string[];
  /** Its stdin. */
  input: string;
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** True if the gate has judged the hosts that it reaches: it needs a network, which the sandbox does not have. */
  reachesHosts: boolean;
  /** The call as people see it. */
  shown: string;
};

/**
 * Runs an executable that is a tool: its output is the result, streamed live, and an exit code other than 0 is an
 * error. Both of its outputs count, in the order of writing. Uses the sandbox if commands run in it.
 */
export async function runProgramCall(
  call: ProgramCall,
  context: ToolContext,
  approval: ToolApproval,
  sandbox: Sandbox | undefined,
): Promise<ToolResult> {
  if (context.signal.aborted) return cancelledResult("the tool was not run.");
  const folder = await openWorkingFolder({ cwd: context.cwd, realPaths: approval.realPaths });
  if ("problem" in folder) return errorResult(folder.problem);
  const roots = folder.isStandIn ? [...approval.roots, folder.path] : approval.roots;
  const own = new OwnProcess();
  const marked = { ...call, env: { ...call.env, ...callMark(newCallId(), own) } };
  const start = await programStart(marked, { cwd: folder.path, roots, sandboxed: approval.sandboxed }, sandbox);
  if ("problem" in start) {
    await folder.leave();
    return errorResult(start.problem);
  }
  const capture = createOutputCapture(() => context.spill(".txt"), call);
  const live = createLiveOutput(context.emit, call);
  const end = await runCommand({
    ...start.run,
    own,
    input: call.input,
    timeoutMs: call.timeoutMs,
    signal: context.signal,
    take(bytes) {
      live.push(bytes);
      return capture.take(bytes);
    },
  });
  live.end();
  const output = capture.end();
  const contained = await start.end();
  await folder.leave();
  if ("problem" in end) return errorResult(`The tool could not be started: ${end.problem}.`);
  const notRun = NOT_RUN.has(end.exitCode ?? 0) ? await runProblem(call.path) : undefined;
  if (notRun !== undefined) return errorResult(`The tool could not be started: ${notRun}.`);
  const notes = [
    folder.note,
    ...commandNotes(
      output,
      end,
      call.timeoutMs,
      "Its limit is timeoutMs of its x-harness, or the setting tool_timeout_ms.",
    ),
    ...containmentNotes(contained),
  ];
  return commandResult(call.shown, { output, end }, notes, {
    timeoutMs: call.timeoutMs,
    ...(sandbox ? { sandboxed: start.isContained } : {}),
  });
}

type ProgramStart = {
  run: Pick<CommandRun, "command" | "words" | "cwd" | "env">;
  isContained: boolean;
  /** Call after the program; undefined: there is no sandbox. */
  end(): Promise<ContainedEnd | undefined>;
};
type RunLocation = { cwd: string; roots: readonly string[]; sandboxed: boolean };

async function programStart(
  { path, args, env, reachesHosts, shown }: ProgramCall,
  { cwd, roots, sandboxed }: RunLocation,
  sandbox: Sandbox | undefined,
): Promise<ProgramStart | { problem: string }> {
  const run = { command: shown, words: [path, ...args], cwd, env };
  const plain = { run, isContained: false, end: async () => undefined };
  if (!sandbox || sandbox.wanted === "off" || reachesHosts) return plain;
  await sandbox.ready();
  if (sandboxed && sandbox.active) {
    const start = await sandbox.contain({ argv: run.words, cwd, roots });
    if ("problem" in start)
      return { problem: `The tool was not run, because the sandbox cannot contain it: ${start.problem}.` };
    return {
      run: { ...run, words: start.argv, env: { ...env, ...start.env } },
      isContained: true,
      end: () => start.end(),
    };
  }
  return sandboxed || sandbox.wanted === "on" ? { problem: notContained(sandbox.why) } : plain;
}

function containmentNotes(contained: ContainedEnd | undefined): string[] {
  if (!contained) return [];
  const { refused } = contained.hosts;
  const { quarantined } = contained;
  return [
    ...(refused.length > 0
      ? [
          `[the sandbox did not let it reach ${refused.slice(0, 5).join(", ")}: a tool that uses the network must declare reach in its x-harness]`,
        ]
      : []),
    ...(quarantined.length > 0
      ? [`[moved aside, because programs would run code from it: ${quarantined.slice(0, 5).join(", ")}]`]
      : []),
  ];
}
