import type { LocalServer } from "@harness/client";
import { readSlashLine, type SlashLine } from "@harness/client/commands";
import { ProtocolError } from "@harness/protocol";
import type { CommandLine } from "../command-line/command-line.ts";
import { formatDuration } from "../command-line/durations.ts";
import { writeAnswer } from "../process/answer-file.ts";
import { CliError, type ExitReason, exitCodes } from "../process/exit-codes.ts";
import { STDOUT } from "../process/export-target.ts";
import { printNote } from "../process/print-note.ts";
import { StopCause, stopOnSignals } from "../process/stop-cause.ts";
import { bugReport, failureText } from "../text/failure-text.ts";
import { firstPrompt } from "./first-prompt.ts";
import { HeadlessRun } from "./headless-run.ts";
import { RunOutput } from "./run-output.ts";
import { RunReport } from "./run-report.ts";
import { outputFormat, type RunRequest, runRequest, streamsMessages } from "./run-request.ts";
import type { RunResult } from "./run-result.ts";

type StartServer = (cwd: string) => Promise<LocalServer>;

/**
 * `harness run`: runs one task, or a stream of them, and returns the exit code. Once the output format is known, a
 * result is always written, as the last thing on stdout.
 */
export async function runHeadless(
  line: CommandLine,
  startServer: StartServer,
  onResult: (result: RunResult) => void = () => undefined,
): Promise<number> {
  const startedAt = performance.now();
  const stop = new StopCause();
  const isTaken = line.value("trajectory") === STDOUT;
  const output = new RunOutput({
    format: outputFormat(line),
    partial: line.has("include-partial"),
    streams: streamsMessages(line) && !isTaken,
    isTaken,
    verbose: line.has("verbose"),
    steps: process.stderr.isTTY === true && !line.has("quiet"),
    quiet: line.has("quiet"),
    onBroken: (code) =>
      code === "EPIPE" ? stop.by("closedPipe") : stop.by("failed", `The output cannot be written: ${code}.`),
  });
  stopOnSignals(stop, (text) => output.say(text));
  const task = new Task({ line, startServer, output, report: new RunReport(), stop });
  const problem = await stop.unlessLate(task.run().catch(problemOf));
  const ending = stop.ending ?? problem?.ending ?? task.report.ending ?? "failed";
  if (ending === "closedPipe") return exitCodes.closedPipe.code;
  const message = stop.ending ? stop.message : problem?.message;
  const durationMs = performance.now() - startedAt;
  const error = message ? { error: { kind: ending, message } } : {};
  const wasStopped = stop.ending !== undefined;
  const isStored = !line.has("ephemeral");
  const result = task.report.result({ ending, sessionId: task.sessionId, isStored, durationMs, ...error });
  await output.result(result);
  if (isStored) output.sayHowToContinue(result);
  onResult(result);
  // The result itself could not be written.
  if (!wasStopped && stop.message) printNote(`harness: ${stop.message}`);
  return exitCodes[stop.ending ?? ending].code;
}

type TaskDeps = { line: CommandLine; startServer: StartServer; output: RunOutput; report: RunReport; stop: StopCause };

/** The work of a run, from its request to the server's shutdown. */
class Task {
  readonly report: RunReport;
  readonly #deps: TaskDeps;
  #run: HeadlessRun | undefined;

  constructor(deps: TaskDeps) {
    this.#deps = deps;
    this.report = deps.report;
  }

  get sessionId(): string | null {
    return this.#run?.sessionId ?? null;
  }

  /** Rejects with the problem that prevented the work; a stop from outside does not reject. */
  async run(): Promise<undefined> {
    const { line, stop } = this.#deps;
    const request = runRequest(line);
    const { timeoutMs } = request;
    const timeout = () => {
      stop.by("limit", `Stopped after ${formatDuration(timeoutMs ?? 0)} (--timeout).`);
      stop.hurry("limit");
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(timeout, timeoutMs);
    try {
      const command = request.streamInput ? undefined : readSlashLine(line.positionals.join(" "));
      await (command ? this.#runCommand(request, command) : this.#runPrompts(request));
    } finally {
      clearTimeout(timer);
    }
    const { answer, ending } = this.report;
    // A run that failed without output leaves the output of an earlier one in place.
    const isAnswer = answer !== "" || ending === "done";
    if (request.outputFile !== undefined && isAnswer) await saveAnswer(request.outputFile, answer);
  }

  async #runPrompts(request: RunRequest): Promise<void> {
    const { line, startServer, output, stop } = this.#deps;
    // The server loads while stdin is read.
    const starting = Promise.all([startServer(request.cwd), firstPrompt(line, request, (text) => output.say(text))]);
    const started = await stop.unlessStopped(starting);
    if (!started) return;
    const [server, prompt] = started.value;
    await this.#carriedOut(request, server, async (run) => {
      await run.open(server);
      await run.work(prompt);
    });
  }

  async #carriedOut(
    request: RunRequest,
    server: LocalServer,
    work: (run: HeadlessRun) => Promise<void>,
  ): Promise<void> {
    const { line, output, report, stop } = this.#deps;
    const run = new HeadlessRun({ request, report, output, stop });
    this.#run = run;
    try {
      if (!(await stop.unlessStopped(work(run)))) await run.cancel();
      if (request.trajectoryFile !== undefined) await run.saveTrajectory(request.trajectoryFile);
      await run.dropUnbegun();
      if (report.agentsAtWork.length > 0) output.say(leftBehind(report.agentsAtWork));
      if (report.ending === "done" && !line.has("quiet")) await run.sayOffer();
    } finally {
      await run.close();
      await server.shutdown();
    }
  }

  async #runCommand(request: RunRequest, command: SlashLine): Promise<void> {
    const { line, startServer, stop } = this.#deps;
    const promptFlag = (["file", "image", "output-schema"] as const).find((flag) => line.has(flag));
    if (promptFlag) throw new CliError("usage", `--${promptFlag} needs a message, but /${command.name} is a command.`);
    const started = await stop.unlessStopped(startServer(request.cwd));
    if (!started) return;
    const { value: server } = started;
    await this.#carriedOut(request, server, (run) => run.command(server, command));
  }
}

/** A note on subagents that are still running in the background when the last turn ends. */
function leftBehind(agentIds: readonly string[]): string {
  const names = new Intl.ListFormat("en", { type: "conjunction" }).format(agentIds);
  return `Stopped at the end of the run: ${names}, still running in the background.`;
}

async function saveAnswer(path: string, text: string): Promise<void> {
  await writeAnswer(path, text).catch((error: NodeJS.ErrnoException) => {
    throw new CliError("failed", `The answer could not be written to ${path} (${error.code}).`);
  });
}

function problemOf(error: unknown): { ending: ExitReason; message: string } {
  if (error instanceof CliError) return { ending: error.ending, message: error.message };
  if (error instanceof ProtocolError) {
    const isAsked = error.kind === "conflict" || error.kind === "invalid_params";
    return { ending: isAsked ? "usage" : "failed", message: error.message };
  }
  const failure = error instanceof Error ? error : new Error(String(error));
  const report = bugReport(failure);
  if (report !== undefined) printNote(report);
  return { ending: "failed", message: failureText(failure) };
}
