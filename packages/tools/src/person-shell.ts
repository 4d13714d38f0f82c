import { defineTool, errorResult, type Tool, type ToolContext, type ToolResult } from "@harness/core";
import * as z from "zod";
import type { EncodingSettings } from "./encodings/file-encoding.ts";
import { personEnvironment } from "./environment/child-environment.ts";
import type { FolderEnvironment } from "./environment/folder-environment.ts";
import { commandNotes, commandResult } from "./process/command-result.ts";
import { createLiveOutput } from "./process/live-output.ts";
import { createOutputCapture } from "./process/output-capture.ts";
import { OwnProcess } from "./process/own-process.ts";
import { callMark, newCallId } from "./process/process-mark.ts";
import { runCommand } from "./process/run-command.ts";
import { openWorkingFolder } from "./process/working-folder.ts";
import { oneLine } from "./text/one-line.ts";

const DAY_MS = 86_400_000;

const args = z.strictObject({
  command: z.string().describe("Command line for bash"),
  timeout_ms: z.int().min(1).max(DAY_MS).optional().describe("Time limit; absent: none"),
});
type ShellArgs = z.infer<typeof args>;
type PersonShellOptions = EncodingSettings & { readonly folderEnv?: FolderEnvironment | undefined };

/**
 * Runs commands that the user typed, with the user's whole environment and outside the sandbox. Models are not offered
 * this tool.
 */
export function createPersonShell(options: PersonShellOptions): Tool {
  return defineTool<ShellArgs>({
    name: "shell",
    description: "Runs a command of the person.",
    args,
    category: "destructive",
    effects: ({ command }, cwd) => [{ kind: "run", command, cwd }],
    title: ({ command }) => oneLine(`! ${command}`),
    run: (call, context) => runShell(call, context, options),
  });
}

async function runShell(
  { command, timeout_ms: timeoutMs = DAY_MS }: ShellArgs,
  context: ToolContext,
  options: PersonShellOptions,
): Promise<ToolResult> {
  if (command.includes("\0")) return errorResult("The command contains a NUL character, which is not allowed.");
  const folder = await openWorkingFolder({ cwd: context.cwd, realPaths: new Map() });
  if ("problem" in folder) return errorResult(folder.problem);
  const capture = createOutputCapture(() => context.spill(".txt"), options);
  const live = createLiveOutput(context.emit, options);
  const own = new OwnProcess();
  const added = folder.isStandIn ? undefined : await options.folderEnv?.(context.cwd, context.signal);
  const env = personEnvironment(process.env, { ...added?.variables, ...added?.withheld }, callMark(newCallId(), own));
  const end = await runCommand({
    command,
    cwd: folder.path,
    env,
    own,
    timeoutMs,
    signal: context.signal,
    take(bytes) {
      live.push(bytes);
      return capture.take(bytes);
    },
  });
  live.end();
  const output = capture.end();
  await folder.leave();
  if ("problem" in end) return errorResult(`The command could not be started: ${end.problem}.`);
  return commandResult(command, { output, end }, [folder.note, ...commandNotes(output, end, timeoutMs)], { timeoutMs });
}
