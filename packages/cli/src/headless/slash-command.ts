import type { HarnessClient, LocalServer } from "@harness/client";
import { closestName } from "../command-line/closest-name.ts";
import { CliError } from "../process/exit-codes.ts";
import { connectHeadless, type SessionListeners } from "./headless-session.ts";
import type { RunRequest } from "./run-request.ts";

export type SlashCommand = { name: string; args: string };

/**
 * Reads a prompt as a slash command, as the window does; undefined for a message. `/usr/bin is …` is a message, and so
 * is any text after a leading space.
 */
export function readSlashCommand(prompt: string): SlashCommand | undefined {
  const [, name, args = ""] = /^\/([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), args };
}

/** Runs a slash command of the server that needs no session, and returns its answer. */
export async function runSlashCommand(
  server: LocalServer,
  request: RunRequest,
  { name, args }: SlashCommand,
  listeners: SessionListeners,
): Promise<string> {
  const client = await connectHeadless(server, request, listeners);
  const { needsSession } = await commandRow(client, name);
  if (needsSession) throw new CliError("usage", `/${name} needs a session. Name one with --continue or --resume ID.`);
  return (await client.call("command/run", { cwd: request.cwd, name, args })).text;
}

/** Throws a `CliError` where the server has no such command. */
export async function commandRow(client: HarnessClient, name: string): Promise<{ needsSession: boolean }> {
  const { commands } = await client.call("commands/list", {});
  const row = commands.find((each) => each.name === name);
  if (!row) throw new CliError("usage", unknownText(name, commands));
  return row;
}

function unknownText(name: string, commands: readonly { name: string }[]): string {
  const names = commands.map((each) => each.name);
  const meant = closestName(name, names);
  const hint = meant ? `Did you mean /${meant}?` : `There are ${names.map((each) => `/${each}`).join(", ")}.`;
  return `There is no command /${name}. ${hint} To send a message that begins with a slash, put a space before it: harness run ' /${name} …'`;
}
