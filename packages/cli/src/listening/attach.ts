import { openClient, socketChannel } from "@harness/client";
import { VERSION } from "@harness/protocol/version";
import type { CommandLine } from "../command-line/command-line.ts";
import { sessionLine } from "../command-line/opening-line.ts";
import { CliError } from "../process/exit-codes.ts";
import { printNote } from "../process/print-note.ts";
import type { SubcommandHandler } from "../subcommands/run-subcommand.ts";
import { liveSession, reachable } from "../subcommands/sessions/live-session.ts";

type AttachDeps = {
  /** Runs a subcommand against a server in this process. */
  ask(handler: SubcommandHandler): Promise<number>;
  openWindow(line: CommandLine): Promise<number>;
};

/** `harness attach`: the window on a session that a server holds, or with `--json` what happens there. */
export async function attach(line: CommandLine, { ask, openWindow }: AttachDeps): Promise<number> {
  needTerminal(line);
  if (line.has("json")) return ask(followSubcommand);
  let id: string | undefined;
  const code = await ask(
    findForWindow((sessionId) => {
      id = sessionId;
    }),
  );
  return id === undefined ? code : openWindow(sessionLine(line, id));
}

/** Checks that there is a terminal for the window, or that lines are wanted. */
function needTerminal(line: CommandLine): void {
  if (line.has("json") || (process.stdin.isTTY && process.stdout.isTTY)) return;
  throw new CliError("usage", "harness attach needs a terminal. With --json it prints what happens as lines.");
}

/** Finds the session to open the window on; one that no server holds is opened as a stored one. */
function findForWindow(found: (sessionId: string) => void): SubcommandHandler {
  return async ({ client, line }) => {
    const [wanted] = line.positionals;
    const session = await liveSession(client, wanted);
    const sessionId = session?.sessionId ?? wanted;
    if (sessionId === undefined)
      throw new CliError(
        "session",
        "No server holds a session at the moment. harness -c opens the newest of this folder.",
      );
    found(sessionId);
    return "done";
  };
}

/** `harness attach --json`: prints a live session's updates, from its first one on, until its server ends. */
const followSubcommand: SubcommandHandler = async ({ client, line, say, stopping }) => {
  const [wanted] = line.positionals;
  const { sessionId, socketPath } = reachable(await liveSession(client, wanted), wanted);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  stopping.signal.addEventListener("abort", () => end());
  const observer = await openClient(await socketChannel(socketPath), {
    clientInfo: { name: "harness-attach", version: VERSION },
    role: "observer",
    onUpdate: (update) => say(JSON.stringify(update)),
    onLost: () => end(),
    onBug: (error, where) => printNote(`harness: internal error in ${where}: ${String(error)}`),
  });
  await observer.call("session/resume", { sessionId, replay: { type: "start" } });
  await over;
  observer.destroy();
  return "done";
};
