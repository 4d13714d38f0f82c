import type { LocalServer } from "@harness/client";
import { closestName } from "../command-line/closest-name.ts";
import { CliError } from "../process/exit-codes.ts";
import { connectHeadless, openSession, type SessionListeners } from "./headless-session.ts";
import type { RunRequest } from "./run-request.ts";

export type SlashCommand = { name: string; args: string };

export type CommandAnswer = { text: string; sessionId: string | null };

/**
 * Reads a prompt as a slash command, as the window does; undefined for a message. `/usr/bin is …` is a message, and so
 * is any text after a leading space.
 */
export function readSlashCommand(prompt: string): SlashCommand | undefined {
  const [, name, args = ""] = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), args };
}

/** Runs a slash command of the server, in a session only where one is continued or resumed. */
export async function runSlashCommand(
  server: LocalServer,
  request: RunRequest,
  { name, args }: SlashCommand,
  listeners: SessionListeners,
): Promise<CommandAnswer> {
  const client = await connectHeadless(server, request, listeners);
  const { commands } = await client.call("commands/list", {});
  const row = commands.find((each) => each.name === name);
  if (!row) throw new CliError("usage", unknownText(name, commands));
  if (request.open.how === "new") {
    if (row.needsSession)
      throw new CliError("usage", `/${name} works on a session. Name one with --continue or --resume ID.`);
    const { text } = await client.call("command/run", { cwd: request.cwd, name, args });
    return { text, sessionId: null };
  }
  const { session } = await openSession(client, request);
  const { sessionId } = session;
  const { text } = await client.call("command/run", { sessionId, name, args });
  return { text, sessionId };
}

function unknownText(name: string, commands: readonly { name: string }[]): string {
  const names = commands.map((each) => each.name);
  const meant = closestName(name, names);
  const hint = meant ? `Did you mean /${meant}?` : `There are ${names.map((each) => `/${each}`).join(", ")}.`;
  return `There is no command /${name}. ${hint} To send a message that begins with a slash, put a space before it: harness run ' /${name} …'`;
}
