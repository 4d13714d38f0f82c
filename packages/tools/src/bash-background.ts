import type { ToolContext, ToolResult } from "@harness/core";
import { errorResult } from "@harness/core";
import { amount, exitCodeInWords, signalInWords } from "@harness/protocol";
import type { BackgroundProcess } from "./background/background-process.ts";
import type { BackgroundProcesses } from "./background/background-processes.ts";
import { LineWatch } from "./background/line-watch.ts";
import { listeningPorts } from "./background/listening-ports.ts";
import { newOutput } from "./background/new-output.ts";
import type { BashStart } from "./bash-start.ts";
import { displayPath } from "./files/absolute-path.ts";
import { replacedText } from "./files/path-watch.ts";
import type { WorkingFolder } from "./process/working-folder.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { sandboxNotes } from "./sandbox/sandbox-notes.ts";

/** How long to wait for the first lines if the call does not say. */
const FIRST_LINES_MS = 2_000;
/** Silence that counts as the end of the first lines. */
const QUIET_MS = 300;

export type BackgroundCall = { command: string; pattern?: string | undefined; timeout_ms?: number | undefined };

type Surroundings = {
  folder: WorkingFolder;
  start: BashStart;
  processes: BackgroundProcesses;
  sandbox: Sandbox | undefined;
};

/**
 * Starts a background command, and answers with its first lines; one that ends at once answers like any other command.
 */
export async function bashBackground(
  call: BackgroundCall,
  context: ToolContext,
  { folder, start, processes, sandbox }: Surroundings,
): Promise<ToolResult> {
  const startedMs = performance.now();
  const lineWatch = call.pattern === undefined ? undefined : await LineWatch.create(call.pattern, 0);
  const tidyUp = async () => {
    const contained = await start.end();
    await folder.leave();
    return contained;
  };
  if (lineWatch && "problem" in lineWatch) {
    start.paths?.close();
    await tidyUp();
    return errorResult(`The pattern is not a valid regular expression: ${lineWatch.problem}.`);
  }
  const started = await processes.start({
    agentId: context.agentId,
    command: call.command,
    run: start.run,
    isContained: start.isContained,
    outputPath: context.spill(".txt"),
    signal: context.signal,
    async finish() {
      const contained = await tidyUp();
      if (!contained || !sandbox) return undefined;
      const end = {
        reason: "exited" as const,
        exitCode: 0,
        durationMs: 0,
        leftRunning: [],
        maybeLeft: [],
        survivors: [],
      };
      return sandboxNotes("", end, contained, sandbox).join(" ") || undefined;
    },
  });
  if ("problem" in started) {
    start.paths?.close();
    await tidyUp();
    return errorResult(started.problem);
  }
  started.isAwaited = true;
  if (lineWatch) started.watchFor(lineWatch);
  await firstNews(started, call, context.signal);
  started.isAwaited = false;
  const replaced = await start.paths?.end();
  if (replaced !== undefined) {
    await processes.stop(started, "session");
    return errorResult(replacedText(displayPath(replaced, context.cwd)));
  }
  if (start.unsandboxed !== undefined) return answer(started, call, startedMs, [`[unsandboxed: ${start.unsandboxed}]`]);
  return answer(started, call, startedMs, folder.note === undefined ? [] : [folder.note]);
}

/** Waits for its end, for the pattern, or for the first lines. */
async function firstNews(started: BackgroundProcess, { pattern, timeout_ms }: BackgroundCall, signal: AbortSignal) {
  const deadline = performance.now() + (timeout_ms ?? FIRST_LINES_MS);
  const waitsForLines = pattern === undefined && timeout_ms === undefined;
  while (!started.end && started.matched === undefined && !signal.aborted) {
    const left = deadline - performance.now();
    if (left <= 0) return;
    const before = started.output.end;
    await started.news(waitsForLines && before > 0 ? Math.min(left, QUIET_MS) : left, signal);
    if (waitsForLines && before > 0 && started.output.end === before) return;
  }
}

async function answer(
  started: BackgroundProcess,
  { command }: BackgroundCall,
  startedMs: number,
  notes: readonly string[],
): Promise<ToolResult> {
  const { processId, end, output, isContained } = started;
  const text = newOutput(started);
  const durationMs = Math.round(performance.now() - startedMs);
  const shown = { type: "terminal" as const, command, output: text, durationMs };
  if (end) {
    const code = end.exitCode ?? null;
    const how = end.signal
      ? `[ended by ${signalInWords(end.signal)}]`
      : code === 0
        ? ""
        : `[exit code ${code === null ? "unknown" : exitCodeInWords(code)}]`;
    const lines = [text || "(no output)", how, ...notes, "[it has ended: nothing keeps running in the background]"];
    return {
      status: code === 0 ? "ok" : "error",
      text: lines.filter((each) => each !== "").join("\n"),
      blocks: [{ ...shown, exitCode: code, ...(end.signal ? { signal: end.signal } : {}) }],
    };
  }
  const ports = await listeningPorts(started.group);
  const inside = isContained ? " inside the sandbox, where other commands do not reach it" : "";
  const listens =
    ports.length > 0 ? ` It listens on ${amount(ports.length, "port")}: ${ports.join(", ")}${inside}.` : "";
  const matched = started.matched === undefined ? "" : ` It printed the awaited line: ${started.matched}.`;
  const keepsRunning =
    `[It keeps running in the background as ${processId}.${listens}${matched} The tool \`process\` shows what is new, sends it ` +
    `input and stops it. Everything it prints is in ${output.path}.]`;
  return {
    status: "ok",
    text: [text || "(no output yet)", ...notes, keepsRunning].join("\n"),
    blocks: [{ ...shown, exitCode: null, processId }],
  };
}
