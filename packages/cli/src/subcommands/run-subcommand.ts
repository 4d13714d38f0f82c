import type { HarnessClient, LocalServer, NoticeListeners } from "@harness/client";
import { type ErrorKind, ProtocolError } from "@harness/protocol";
import type { CommandLine } from "../command-line/command-line.ts";
import { workingFolder } from "../command-line/session-request.ts";
import { CliError, type ExitReason, exitCodes } from "../process/exit-codes.ts";
import { openInProcess } from "../process/open-in-process.ts";
import { printNote } from "../process/print-note.ts";
import { ProgressLine } from "../process/progress-line.ts";
import { StopCause, stopOnSignals } from "../process/stop-cause.ts";
import { terminalText } from "../text/terminal-text.ts";
import { waitingNotes } from "../text/waiting-notes.ts";

/** How the user stops a subcommand. */
type StopControl = {
  /** Aborts when the user cancels; the subcommand then has moments to stop. */
  readonly signal: AbortSignal;
  /** Called for Ctrl+C if the terminal is in raw mode. */
  interrupt(): void;
};

/** The context of a subcommand that queries the server and ends. */
export type SubcommandContext = {
  readonly client: HarnessClient;
  readonly line: CommandLine;
  readonly cwd: string;
  /** Listeners that the subcommand sets. */
  readonly notices: NoticeListeners;
  /** Prints to stdout. */
  say(text: string): void;
  /** Prints a note for people on stderr. */
  note(text: string): void;
  /** Undefined where stderr is not a terminal: notes say there how far the work is. */
  readonly progress: ProgressLine | undefined;
  readonly stopping: StopControl;
};

/** Returns how the subcommand ended; expected refusals are thrown as `CliError` or the server's `ProtocolError`. */
export type SubcommandHandler = (visit: SubcommandContext) => Promise<ExitReason>;

/** How long a cancelled subcommand may take to clean up. */
const GIVE_UP_MS = 2_000;

/** Runs a subcommand against a server in this process, and returns its exit code. */
export async function runSubcommand(
  line: CommandLine,
  startServer: (cwd: string) => Promise<LocalServer>,
  handler: SubcommandHandler,
): Promise<number> {
  const stop = new StopCause();
  const progress = process.stderr.isTTY ? new ProgressLine() : undefined;
  const note = (text: string) => {
    progress?.end();
    printNote(text);
  };
  stopOnSignals(stop, note);
  const cwd = workingFolder(line.value("cd"));
  const server = await startServer(cwd);
  const gone = new AbortController();
  process.stdout.on("error", (error: NodeJS.ErrnoException) =>
    error.code === "EPIPE" ? stop.by("closedPipe") : stop.by("failed", `The output cannot be written: ${error.code}.`),
  );
  try {
    const working = askServer(server, handler, {
      line,
      cwd,
      say: (text) => void process.stdout.write(`${process.stdout.isTTY ? terminalText(text) : text}\n`),
      note,
      progress,
      stopping: { signal: gone.signal, interrupt: () => stop.by("interrupted") },
    });
    const done = await stop.unlessStopped(working);
    if (done) return exitCodes[done.value].code;
    gone.abort();
    await unlessLate(working);
    return exitCodes[stop.ending ?? "failed"].code;
  } finally {
    await server.shutdown();
  }
}

/** Runs a subcommand as a client of a server; a refusal is printed, and ends it. */
export async function askServer(
  server: LocalServer,
  handler: SubcommandHandler,
  parts: Omit<SubcommandContext, "client" | "notices">,
): Promise<ExitReason> {
  const notices: NoticeListeners = { "providers/waiting": waitingNotes(parts.note) };
  const name = `harness-${parts.line.subcommand.replace(" ", "-")}`;
  try {
    const client = await openInProcess(server, name, { onUpdate: () => undefined, notices });
    return await handler({ ...parts, client, notices });
  } catch (error) {
    if (!(error instanceof CliError || error instanceof ProtocolError)) throw error;
    parts.note(`harness: ${error.message}`);
    if (error instanceof CliError) return error.ending;
    return endingOf(error);
  }
}

const endings: Partial<Record<ErrorKind, ExitReason>> = {
  invalid_params: "usage",
  auth_required: "config",
  // A run ends the same way if its session or agent is not found.
  not_found: "session",
  unsupported: "config",
  cancelled: "interrupted",
};

function endingOf({ kind }: ProtocolError): ExitReason {
  return endings[kind] ?? "failed";
}

async function unlessLate(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, GIVE_UP_MS);
  });
  await Promise.race([work, late]).catch(() => undefined);
  clearTimeout(timer);
}
