import type { Content } from "@harness/protocol";
import { VERSION } from "@harness/protocol/version";
import type { CommandLine } from "../command-line.ts";
import { CliError, type Ending, exitCodes } from "../exit-codes.ts";
import { type HeadlessSession, openHeadlessSession, type ServerDoor } from "./headless-session.ts";
import { promptContent } from "./prompt-content.ts";
import { note, RunOutput } from "./run-output.ts";
import { RunReport } from "./run-report.ts";
import { type RunRequest, runRequest } from "./run-request.ts";
import { readStdin } from "./stdin-text.ts";
import { readInputLines } from "./stream-input.ts";

/** What ended a run from outside, once; later causes do not count. */
class Forced {
  ending: Ending | undefined;
  private readonly act: () => void;

  constructor(act: () => void) {
    this.act = act;
  }

  by(ending: Ending): void {
    if (this.ending) return;
    this.ending = ending;
    this.act();
  }
}

/** `harness run`: one task, or a stream of them, to its end. Answers with the exit code; never throws a `CliError`. */
export async function runHeadless(
  line: CommandLine,
  startServer: (cwd: string) => Promise<ServerDoor>,
): Promise<number> {
  const startedAt = performance.now();
  const report = new RunReport();
  let request: RunRequest;
  try {
    request = runRequest(line);
  } catch (error) {
    return fail(error);
  }
  const output = new RunOutput(request.format, { ...request, file: request.outputFile });
  process.stdout.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(exitCodes[error.code === "EPIPE" ? "closedPipe" : "failed"].code),
  );
  let sessionId: string | null = null;
  let server: ServerDoor | undefined;
  let ending: Ending;
  let problem: { kind: string; message: string } | undefined;
  try {
    // The server loads while stdin is read.
    const [door, content] = await Promise.all([startServer(request.cwd), firstPrompt(line, request, output)]);
    server = door;
    const run = new Run(request, report, output);
    sessionId = await run.open(door);
    ending = await run.work(content);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    ending = error.ending;
    problem = { kind: error.ending, message: error.message };
  }
  await output.result(report.result(ending, { sessionId, durationMs: performance.now() - startedAt, error: problem }));
  await server?.shutdown();
  return exitCodes[ending].code;
}

function fail(error: unknown): number {
  if (!(error instanceof CliError)) throw error;
  note(`harness: ${error.message}`);
  return exitCodes[error.ending].code;
}

async function firstPrompt(line: CommandLine, request: RunRequest, output: RunOutput): Promise<Content[] | undefined> {
  if (request.streamInput) return undefined;
  const words = line.words.filter((word) => word !== "-").join(" ");
  const wantsStdin = line.words.includes("-") || line.words.length === 0;
  const stdin = await readStdin(!wantsStdin, (text) => output.say(`harness: ${text}`));
  return promptContent({ words, stdin, files: line.values("file"), images: line.values("image"), cwd: request.cwd });
}

/** One headless session at work. */
class Run {
  private readonly request: RunRequest;
  private readonly report: RunReport;
  private readonly output: RunOutput;
  private readonly forced = new Forced(() => void this.cancel());
  private session: HeadlessSession | undefined;
  private onIdle: () => void = () => undefined;

  constructor(request: RunRequest, report: RunReport, output: RunOutput) {
    this.request = request;
    this.report = report;
    this.output = output;
  }

  async open(server: ServerDoor): Promise<string> {
    this.session = await openHeadlessSession(server, this.request, {
      onUpdate: (update) => {
        this.output.update(update);
        if (this.report.take(update)) this.onIdle();
      },
      onPermission: () => {
        if (this.request.failOnPermission) this.forced.by("denied");
      },
    });
    const { sessionId, config } = this.session;
    const { cwd } = this.request;
    this.output.init({ sessionId, cwd, ...config, version: VERSION, protocolVersion: "1" });
    return sessionId;
  }

  async work(content: Content[] | undefined): Promise<Ending> {
    const stopListening = this.listenToSignals();
    const { timeoutMs } = this.request;
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.forced.by("limit"), timeoutMs);
    try {
      if (content) await this.prompt("p1", content);
      else await this.followInput();
    } finally {
      clearTimeout(timer);
      stopListening();
    }
    return this.report.ending(this.forced.ending);
  }

  private async prompt(promptId: string, prompt: Content[]): Promise<void> {
    const { client, sessionId } = this.opened();
    if (this.forced.ending) return;
    const idle = new Promise<void>((done) => {
      this.onIdle = done;
    });
    await client.call("session/prompt", { sessionId, promptId, prompt, delivery: "queue" });
    await idle;
  }

  /** Prompts run one after another in the order of their lines; cancels and replies count at once. */
  private async followInput(): Promise<void> {
    const { client, sessionId } = this.opened();
    let last: Promise<void> = Promise.resolve();
    for await (const input of readInputLines(process.stdin)) {
      if (this.forced.ending) break;
      if (input.type === "prompt") last = last.then(() => this.prompt(input.promptId, input.prompt));
      else if (input.type === "cancel") await client.call("session/cancel", { sessionId });
      else {
        const { permissionId, outcome } = input;
        await client
          .call("permission/reply", { sessionId, permissionId, outcome })
          .catch((error: Error) => this.output.say(`harness: ${error.message}`));
      }
    }
    await last;
  }

  private async cancel(): Promise<void> {
    const { client, sessionId } = this.opened();
    if (this.request.streamInput) process.stdin.destroy();
    const { cancelled } = await client.call("session/cancel", { sessionId });
    if (!cancelled) this.onIdle();
  }

  /** The first signal ends the turn in order, the second one ends the process. */
  private listenToSignals(): () => void {
    const handle = (signal: "SIGINT" | "SIGTERM") => {
      const ending = signal === "SIGINT" ? "interrupted" : "terminated";
      if (this.forced.ending) process.exit(exitCodes[ending].code);
      this.forced.by(ending);
    };
    process.on("SIGINT", handle).on("SIGTERM", handle);
    return () => process.off("SIGINT", handle).off("SIGTERM", handle);
  }

  private opened(): HeadlessSession {
    if (!this.session) throw new Error("The session is not open yet.");
    return this.session;
  }
}
