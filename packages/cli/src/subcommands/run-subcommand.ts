import { type HarnessClient, type LocalServer, type NoticeListeners, openLinkedClient } from "@harness/client";
import { type ErrorKind, ProtocolError } from "@harness/protocol";
import { VERSION } from "@harness/protocol/version";
import type { CommandLine } from "../command-line/command-line.ts";
import { workingFolder } from "../command-line/session-request.ts";
import { CliError, type Ending, exitCodes } from "../process/exit-codes.ts";
import { printNote } from "../process/print-note.ts";
import { StopCause, stopOnSignals } from "../process/stop-cause.ts";
import { terminalText } from "../text/terminal-text.ts";

/** What a subcommand works with that asks the server a question or two and then ends. */
export type SubcommandContext = {
  readonly client: HarnessClient;
  readonly line: CommandLine;
  readonly cwd: string;
  /** Aborts when the person wants it to end; what was begun is then given up within moments. */
  readonly signal: AbortSignal;
  /** Listeners that the subcommand sets. */
  readonly notices: NoticeListeners;
  /** To stdout, as a line or several. */
  say(text: string): void;
  /** To stderr, for people. */
  note(text: string): void;
  /** Ctrl+C where the terminal gives it as a key. */
  interrupt(): void;
};

/** Answers with how it ended; expected refusals are `CliError` or the server's `ProtocolError`. */
export type SubcommandHandler = (visit: SubcommandContext) => Promise<Ending>;

/** How long something that was given up may take to tidy up behind itself. */
const GIVE_UP_MS = 2_000;

/** Runs a subcommand at a server in this process, and answers with its exit code. */
export async function runSubcommand(
  line: CommandLine,
  startServer: (cwd: string) => Promise<LocalServer>,
  handler: SubcommandHandler,
): Promise<number> {
  const stop = new StopCause();
  stopOnSignals(stop, printNote);
  const cwd = workingFolder(line.value("cd"));
  const server = await startServer(cwd);
  const gone = new AbortController();
  try {
    const working = open(server, { line, cwd, stop, signal: gone.signal }).then(handler).catch(refusalOf);
    const done = await stop.unlessStopped(working);
    if (done) return exitCodes[done.value].code;
    gone.abort();
    await unlessLate(working);
    return exitCodes[stop.ending ?? "failed"].code;
  } finally {
    await server.shutdown();
  }
}

type TestHome = { line: CommandLine; cwd: string; stop: StopCause; signal: AbortSignal };

async function open(server: LocalServer, { line, cwd, stop, signal }: TestHome): Promise<SubcommandContext> {
  const notices: NoticeListeners = {};
  const client = await openLinkedClient(server, "headless", {
    clientInfo: { name: `harness-${line.subcommand.replace(" ", "-")}`, version: VERSION },
    onUpdate: () => undefined,
    notices,
    // The other end is in this process: when it is gone, so are we.
    onLost: () => undefined,
    onBug: (error, where) => printNote(`harness: internal error in ${where}: ${String(error)}`),
  });
  process.stdout.on("error", (error: NodeJS.ErrnoException) =>
    error.code === "EPIPE" ? stop.by("closedPipe") : stop.by("failed", `The output cannot be written: ${error.code}.`),
  );
  return {
    client,
    line,
    cwd,
    signal,
    notices,
    say: (text) => void process.stdout.write(`${process.stdout.isTTY ? terminalText(text) : text}\n`),
    note: printNote,
    interrupt: () => stop.by("interrupted"),
  };
}

function refusalOf(error: unknown): Ending {
  if (!(error instanceof CliError || error instanceof ProtocolError)) throw error;
  printNote(`harness: ${error.message}`);
  if (error instanceof CliError) return error.ending;
  const kind: ErrorKind = error.kind;
  return endings[kind] ?? "failed";
}

const endings: Partial<Record<ErrorKind, Ending>> = {
  invalid_params: "usage",
  auth_required: "config",
  not_found: "config",
  unsupported: "config",
  cancelled: "interrupted",
};

async function unlessLate(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, GIVE_UP_MS);
  });
  await Promise.race([work, late]).catch(() => undefined);
  clearTimeout(timer);
}
