import { openClient, Session, spawnServer } from "@harness/client";
import { readSlashLine } from "@harness/client/commands";
import { ProtocolError } from "@harness/protocol";
import { VERSION } from "@harness/protocol/version";
import type { Channel } from "@harness/protocol/wire";
import { type CommandLine, serverVariables } from "../command-line/command-line.ts";
import type { FlagName } from "../command-line/flags.ts";
import { CliError, exitCodes } from "../process/exit-codes.ts";
import { printNote } from "../process/print-note.ts";
import { serverCommand } from "../process/server-command.ts";
import { firstPrompt } from "./first-prompt.ts";
import { openHeadlessSession } from "./headless-session.ts";
import { outputFormat, type RunRequest, runRequest } from "./run-request.ts";
import { settleTrust } from "./run-trust.ts";

/** Flags about what a run does with its answer, or with its end: nobody waits for either here. */
const ABOUT_THE_END: readonly FlagName[] = [
  ...(["ephemeral", "input-format", "output-schema", "output", "trajectory", "timeout"] as const),
  ...(["permission-prompt", "include-partial", "question-timeout"] as const),
];

/** The end of its stderr says why it ended. */
const MAX_STDERR = 2_000;
/** How long a server that could not begin may take to end. */
const END_MS = 2_000;

/**
 * `harness run --background`: starts a server with the environment of this command, gives it the task, and leaves. It
 * asks as for a window, and waits for `harness attach` where it needs an answer.
 */
export async function runBackground(line: CommandLine): Promise<number> {
  const flag = ABOUT_THE_END.find((name) => line.has(name));
  if (flag !== undefined)
    throw new CliError("usage", `--background and --${flag} cannot be combined: nobody waits for the end of the run.`);
  const request = runRequest(line);
  let said = "";
  const server = spawnServer({
    ...serverCommand(),
    cwd: request.cwd,
    env: { ...process.env, ...serverVariables(line) },
    onStderr: (text) => {
      said = `${said}${text}`.slice(-MAX_STDERR);
    },
  });
  try {
    const started = await begin(line, request, server.channel);
    server.release();
    return say(line, { ...started, pid: server.pid });
  } catch (error) {
    await server.end(END_MS);
    if (error instanceof CliError) throw error;
    if (!(error instanceof ProtocolError)) throw error;
    throw new CliError(
      error.kind === "invalid_params" ? "usage" : "failed",
      [error.message, said.trim()].join("\n").trim(),
    );
  }
}

type BackgroundStart = { sessionId: string; cwd: string; socketPath: string };

/** Opens the session, and leaves it with its task. */
async function begin(line: CommandLine, request: RunRequest, channel: Channel): Promise<BackgroundStart> {
  const command = readSlashLine(line.positionals.join(" "));
  const prompt = command ? undefined : await firstPrompt(line, request, printNote);
  const client = await openClient(channel, {
    clientInfo: { name: "harness-run", version: VERSION },
    onUpdate: (update) => session.take(update),
    onLost: () => undefined,
    onBug: (error, where) => printNote(`harness: internal error in ${where}: ${String(error)}`),
  });
  await settleTrust(client, request, printNote);
  const { questionTimeoutMs: _anyTime, ...terms } = request;
  const session = new Session(client, terms);
  const opened = await openHeadlessSession(session, client, request);
  const { sessionId, cwd } = opened.session;
  // Before it can ask: without a client, what it asks would be denied.
  const { socketPath } = await client.call("session/keep", { sessionId });
  if (command) await session.command(command);
  else if (prompt) await session.prompt(prompt);
  await client.leave();
  return { sessionId, cwd, socketPath };
}

function say(line: CommandLine, begun: BackgroundStart & { pid: number | undefined }): number {
  const isText = outputFormat(line) === "text";
  process.stdout.write(`${isText ? begun.sessionId : JSON.stringify(begun)}\n`);
  if (isText && !line.has("quiet"))
    printNote(
      `harness: it goes on by itself. Look at it: harness attach ${begun.sessionId}; end it: harness stop ${begun.sessionId}`,
    );
  return exitCodes.done.code;
}
