import {
  cancelledResult,
  defineTool,
  errorResult,
  type ToolApproval,
  type ToolContext,
  type ToolResult,
} from "@harness/core";
import * as z from "zod";
import type { BackgroundProcesses } from "./background/background-processes.ts";
import { bashBackground } from "./bash-background.ts";
import { bashStart } from "./bash-start.ts";
import type { EncodingSettings } from "./encodings/file-encoding.ts";
import type { FolderEnvironment } from "./environment/folder-environment.ts";
import { leftOutNote, type NotesGiven } from "./environment/left-out-note.ts";
import { noTerminalText } from "./environment/no-terminal.ts";
import { displayPath } from "./files/absolute-path.ts";
import { replacedText } from "./files/path-watch.ts";
import { commandNotes, commandResult, MAX_TIMEOUT_MS } from "./process/command-result.ts";
import { createLiveOutput } from "./process/live-output.ts";
import { type CapturedOutput, createOutputCapture } from "./process/output-capture.ts";
import { OwnProcess } from "./process/own-process.ts";
import { callMark, newCallId } from "./process/process-mark.ts";
import { type CommandEnd, runCommand } from "./process/run-command.ts";
import { openWorkingFolder, type WorkingFolder } from "./process/working-folder.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { type ContainedEnd, sandboxNotes } from "./sandbox/sandbox-notes.ts";
import { oneLine } from "./text/one-line.ts";

/** The shell's exit code if it does not find a program. */
const NOT_FOUND = 127;

const args = z.strictObject({
  command: z.string().describe("Command line for bash"),
  timeout_ms: z.int().optional().describe("Time limit, up to 600000"),
  parallel: z.boolean().optional().describe("Runs beside others so marked; else in order"),
  background: z.boolean().optional().describe("Keep running, e.g. a server"),
  pattern: z.string().optional().describe("With background: notify me of matching lines"),
});
const sandboxArgs = args.extend({
  outside_sandbox: z
    .boolean()
    .optional()
    .describe("Run without the sandbox, for a command that failed because of it; the person is asked"),
});
type BashArgs = z.infer<typeof sandboxArgs>;

export type BashOptions = EncodingSettings & {
  /** The time limit of a call without one. */
  readonly timeoutMs: number;
  /** Variables that commands get in addition to the usual few. */
  readonly extraEnv: Readonly<Record<string, string>>;
  /** The folder's additions to their environment; absent: none. */
  readonly folderEnv?: FolderEnvironment | undefined;
  /** The sandbox, for calls that the gate assigns to it; absent: commands run without one. */
  sandbox?: Sandbox | undefined;
  /** The owner of background processes; absent: there may be none. */
  processes?: BackgroundProcesses | undefined;
};

export function createBash(options: BashOptions) {
  const isContained = options.sandbox !== undefined && options.sandbox.wanted !== "off";
  const kept = { isNoted: false, notesGiven: new Set<string>(), own: new OwnProcess() };
  return defineTool<BashArgs>({
    name: "bash",
    description: "Runs a shell command: no terminal, no input; nothing keeps running without `background`.",
    details:
      "Each call is a new shell in the workspace: `cd` and variables do not last. It is stopped after two minutes unless `timeout_ms` says otherwise. Long output loses its middle; the result names the file that has all of it.",
    args: isContained ? sandboxArgs : args,
    rareArgs: ["parallel", "pattern"],
    category: "destructive",
    subject: "argv",
    effects: ({ command, outside_sandbox }, cwd) => [
      { kind: "run", command, cwd, ...(outside_sandbox ? { outside: true } : {}) },
    ],
    async preview({ command }) {
      const problem = noTerminalText(command);
      return problem === undefined ? undefined : { problem, isOfArgs: true };
    },
    // Later calls may use the process that it leaves running, even if its command only reads.
    concurrency: ({ parallel, background }) => (background ? "alone" : parallel ? "beside-its-kind" : "by-effects"),
    title: ({ command, background }) => oneLine(`bash ${background ? "in the background: " : ""}${command}`),
    run: (call, context, approval) => runBash(call, context, approval, { ...options, kept }),
  });
}

/**
 * Kept between calls. `isNoted`: the note that is given once per session was given. `notesGiven`: other notes of that kind.
 */
type BashMemory = { isNoted: boolean; readonly notesGiven: NotesGiven; readonly own: OwnProcess };

async function runBash(
  call: BashArgs,
  context: ToolContext,
  approval: ToolApproval,
  { kept, ...options }: BashOptions & { kept: BashMemory },
): Promise<ToolResult> {
  if (context.signal.aborted) return cancelledResult("the command was not run.");
  const problem = problemOf(call, options);
  if (problem !== undefined) return errorResult(problem);
  const timeoutMs = Math.min(Math.max(1, call.timeout_ms ?? options.timeoutMs), MAX_TIMEOUT_MS);
  const folder = await openWorkingFolder({ cwd: context.cwd, realPaths: approval.realPaths });
  if ("problem" in folder) return errorResult(folder.problem);
  const mark = callMark(newCallId(), kept.own);
  const variables = await ofFolder(options, folder, context);
  const start = await bashStart(call, approval, folder, { ...options, extraEnv: variables.extra, mark });
  if ("problem" in start) {
    await folder.leave();
    return errorResult(start.problem);
  }
  if (call.background === true && options.processes) {
    const { processes, sandbox } = options;
    return bashBackground(call, context, { folder, start, processes, sandbox });
  }
  const capture = createOutputCapture(() => context.spill(".txt"), options);
  const live = createLiveOutput(context.emit, options);
  const end = await runCommand({
    ...start.run,
    own: kept.own,
    timeoutMs,
    signal: context.signal,
    take(bytes) {
      live.push(bytes);
      return capture.take(bytes);
    },
  });
  live.end();
  const output = capture.end();
  const contained = await start.end();
  const replaced = await start.paths?.end();
  await folder.leave();
  if (replaced !== undefined) return errorResult(replacedText(displayPath(replaced, context.cwd)));
  if ("problem" in end) return errorResult(`The command could not be started: ${end.problem}.`);
  const { ours } = variables;
  const notes = [
    folder.note,
    ...commandNotes(output, end, timeoutMs),
    ...containmentNotes(output, end, contained, options),
    leftOutNote({ text: output.text, end, env: start.run.env, ours, cwd: folder.path, notesGiven: kept.notesGiven }),
  ];
  if (start.unsandboxed !== undefined && !kept.isNoted) {
    kept.isNoted = true;
    notes.push(`[unsandboxed: ${start.unsandboxed}]`);
  }
  if (end.exitCode === NOT_FOUND && /(?:^|[\s;&|])apply_patch\b/.test(call.command)) {
    notes.push('[apply_patch is a tool, not a program: call it with {"input": "*** Begin Patch …"}]');
  }
  return commandResult(call.command, { output, end }, notes, {
    timeoutMs,
    ...(options.sandbox ? { sandboxed: start.isContained } : {}),
  });
}

/** Why the call fails wherever it runs. */
function problemOf({ command, background }: BashArgs, { processes }: BashOptions): string | undefined {
  if (command.trim() === "") return "The command is empty: give a command line.";
  if (command.includes("\0")) return "The command contains a NUL character, which is not allowed.";
  if (background === true && !processes) return "Background processes are not available here.";
  return noTerminalText(command);
}

/** The variables of a command in addition to the usual few, and everything that could be passed on to it. */
async function ofFolder(
  { extraEnv, folderEnv }: BashOptions,
  { isStandIn }: WorkingFolder,
  { cwd, signal, traceparent }: ToolContext,
): Promise<{ extra: Readonly<Record<string, string | null>>; ours: NodeJS.ProcessEnv }> {
  // A stand-in for a missing folder has no environment of its own.
  const added = isStandIn ? undefined : await folderEnv?.(cwd, signal);
  const usual = traceparent === undefined ? extraEnv : { ...extraEnv, TRACEPARENT: traceparent };
  if (!added) return { extra: usual, ours: process.env };
  const { variables, withheld } = added;
  const path = typeof variables.PATH === "string" ? { PATH: variables.PATH } : {};
  return { extra: { ...usual, ...variables }, ours: { ...process.env, ...withheld, ...path } };
}

function containmentNotes(
  output: CapturedOutput,
  end: CommandEnd,
  contained: ContainedEnd | undefined,
  { sandbox }: BashOptions,
): string[] {
  return contained && sandbox ? sandboxNotes(output.text, end, contained, sandbox) : [];
}
