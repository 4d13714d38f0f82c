import { lstat, mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, type ToolContext, type ToolResult } from "@harness/core";
import * as z from "zod";
import { fileProblem } from "./files/file-problem.ts";
import { type Place, realPathOf, strayed } from "./files/judged-path.ts";
import { childEnvironment } from "./process/child-environment.ts";
import { createLiveOutput } from "./process/live-output.ts";
import { type CapturedOutput, createOutputCapture, MAX_OUTPUT_BYTES } from "./process/output-capture.ts";
import { type CommandEnd, runCommand } from "./process/run-command.ts";
import { amount, size } from "./text/amount.ts";
import { oneLine } from "./text/one-line.ts";
import { cancelled, failed } from "./tool-answer.ts";

const MAX_TIMEOUT_MS = 600_000;
let calls = 0;

const args = z.strictObject({
  command: z.string().describe("Command line for bash"),
  timeout_ms: z.int().optional().describe("Time limit, up to 600000"),
});
type BashArgs = z.infer<typeof args>;

export type BashOptions = {
  /** Time limit where a call names none. */
  timeoutMs: number;
  /** Variables that commands get besides the usual few. */
  extraEnv: Readonly<Record<string, string>>;
};

export function createBash(options: BashOptions) {
  return defineTool<BashArgs>({
    name: "bash",
    description: "Runs a shell command in the session's folder: no terminal, no input, nothing kept in the background.",
    args,
    category: "destructive",
    effects: ({ command }, cwd) => [{ kind: "run", command, cwd }],
    title: ({ command }) => oneLine(`bash ${command}`),
    run: (call, context) => runBash(call, context, options),
  });
}

async function runBash(call: BashArgs, context: ToolContext, options: BashOptions): Promise<ToolResult> {
  if (context.signal.aborted) return cancelled("the command was not run.");
  if (call.command.trim() === "") return failed("The command is empty: give a command line.");
  if (call.command.includes("\0")) return failed("The command holds a NUL character, which no command may.");
  const timeoutMs = Math.min(Math.max(1, call.timeout_ms ?? options.timeoutMs), MAX_TIMEOUT_MS);
  const folder = await workingFolder(context);
  if ("problem" in folder) return failed(folder.problem);
  const capture = createOutputCapture(() => context.spill(".txt"));
  const live = createLiveOutput(context.emit);
  const callId = `${process.pid}-${Date.now().toString(36)}-${++calls}`;
  const end = await runCommand({
    command: call.command,
    cwd: folder.path,
    env: childEnvironment(process.env, options.extraEnv, callId),
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
  if ("problem" in end) return failed(`The command could not be started: ${end.problem}.`);
  return answer(call.command, timeoutMs, folder.note, output, end);
}

type WorkingFolder = { path: string; note?: string; leave(): Promise<void> };

/**
 * The session's folder. When it is gone, an empty folder stands in: what was approved for one place must not run in
 * another that has something in it, such as the parent folder.
 */
async function workingFolder(place: Place): Promise<WorkingFolder | { problem: string }> {
  const { cwd } = place;
  const real = await realPathOf(cwd);
  const stray = strayed(cwd, real, place);
  if (stray) return { problem: stray };
  try {
    if ((await lstat(real)).isDirectory()) return { path: real, leave: async () => undefined };
    return { problem: `The session's folder ${cwd} is no folder any more: move away what stands there.` };
  } catch (error) {
    try {
      const path = await mkdtemp(join(tmpdir(), "harness-"));
      const note =
        `[The session's folder ${cwd} cannot be entered (${fileProblem(error)}), so this ran in the empty folder ` +
        `${path}. Make it again (mkdir -p ${cwd}) or use absolute paths.]`;
      // Kept if the command put something there.
      return { path, note, leave: () => rmdir(path).catch(() => undefined) };
    } catch {
      return { problem: `The session's folder ${cwd} cannot be entered: ${fileProblem(error)}.` };
    }
  }
}

function answer(
  command: string,
  timeoutMs: number,
  folderNote: string | undefined,
  output: CapturedOutput,
  end: CommandEnd,
): ToolResult {
  const text = output.text.replace(/\n$/, "");
  const notes = [folderNote, ...notesOn(output, end, timeoutMs)].filter((note) => note !== undefined);
  const good = end.reason === "exited" && end.exitCode === 0;
  return {
    status: good ? "ok" : "error",
    text: [text === "" ? "(no output)" : text, ...notes].join("\n"),
    blocks: [
      {
        type: "terminal",
        command,
        output: text,
        exitCode: end.exitCode,
        ...(end.signal ? { signal: end.signal } : {}),
        durationMs: end.durationMs,
        ...(output.fullOutputPath ? { fullOutputPath: output.fullOutputPath } : {}),
      },
    ],
  };
}

/** What the output alone does not say. No times and no ids: the same result must read the same. */
function notesOn(output: CapturedOutput, end: CommandEnd, timeoutMs: number): string[] {
  const notes: string[] = [];
  if (output.notText) notes.push("[the output held bytes that are not text; they were left out or shown as \uFFFD]");
  if (end.leftRunning.length > 0) {
    const who = end.leftRunning.join(", ");
    notes.push(`[still running in the background when the command ended, and stopped: ${who}]`);
  }
  if (end.survivors.length > 0) notes.push(`[could not be stopped: ${end.survivors.join(", ")}]`);
  if (end.reason === "timeout") {
    const after = timeoutMs % 1000 === 0 ? amount(timeoutMs / 1000, "second") : `${timeoutMs} ms`;
    const more = timeoutMs < MAX_TIMEOUT_MS ? `Allow more with timeout_ms (up to ${MAX_TIMEOUT_MS}), or do less.` : "";
    notes.push(`[stopped: not finished after ${after}, with everything it had started. ${more}]`.replace(" ]", "]"));
  } else if (end.reason === "cancelled") {
    notes.push("[cancelled: stopped, with everything it had started]");
  } else if (end.reason === "output") {
    notes.push(`[stopped: more than ${size(MAX_OUTPUT_BYTES)} of output]`);
  } else if (end.signal) {
    notes.push(`[ended by ${end.signal}]`);
  } else if (end.exitCode !== 0) {
    notes.push(`[exit code ${end.exitCode}]`);
  }
  return notes;
}
