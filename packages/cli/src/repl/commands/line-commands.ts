import { commandsOf, readSlashLine, runFrontCommand } from "@harness/client/commands";
import { textTable } from "../../text/text-table.ts";
import type { LineContext } from "./line-context.ts";
import { LineFront } from "./line-front.ts";
import { runOnServer } from "./run-on-server.ts";

/** Runs a slash command, possibly on the server; returns false for a message. */
export async function runLineCommand(context: LineContext, text: string): Promise<boolean> {
  const command = readSlashLine(text);
  if (!command) return false;
  const front = new LineFront(context, () => help(context));
  if (!(await runFrontCommand(front, command))) await runOnServer(context, command);
  return true;
}

async function help({ mode, lines }: LineContext): Promise<void> {
  const { commands } = await mode.client.call("commands/list", mode.session.place);
  const own = commandsOf("lines");
  const known = new Set<string>(own.map(({ names: [name] }) => name));
  const others = commands
    .filter(({ name }) => !known.has(name))
    .map(({ name, argumentHint, description }) => [usageOf([name], argumentHint), description]);
  const rows = [...own.map(({ names, hint, words }) => [usageOf(names, hint), words]), ...others];
  lines.print(
    `${textTable(["COMMAND", "WHAT IT DOES"], rows, process.stdout.columns)}\n!COMMAND runs a command; the agent sees it and its output. !!COMMAND runs it for you alone.\n\\ at the end of a line goes on with the message in the next one.`,
  );
}

/** Such as `/new, /clear`, and its arguments. */
function usageOf(names: readonly string[], hint: string | undefined): string {
  return `${names.map((name) => `/${name}`).join(", ")}${hint === undefined ? "" : ` ${hint}`}`;
}
