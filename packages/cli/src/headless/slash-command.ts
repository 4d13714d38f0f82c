import type { HarnessClient } from "@harness/client";
import { commandNamed, insteadOf, lineWays } from "@harness/client/commands";
import type { Result, ServerMethods } from "@harness/protocol";
import { closestName } from "../command-line/closest-name.ts";
import { CliError } from "../process/exit-codes.ts";
import type { RunReport } from "./run-report.ts";

type CommandTarget = { sessionId: string } | { cwd: string };

type CommandView = Result<ServerMethods, "commands/list">["commands"][number];

/** Throws a `CliError` if the server has no such command. */
export async function commandView(client: HarnessClient, target: CommandTarget, name: string): Promise<CommandView> {
  const { commands, unused } = await client.call("commands/list", { ...target, name });
  const found = commandNamed(commands, name);
  if (found) return found;
  const why = unused.find((each) => each.name.toLowerCase() === name);
  const other = insteadOf(name)?.(lineWays);
  if (!why && other !== undefined) throw new CliError("usage", other);
  throw new CliError("usage", why ? `/${name} cannot be run. ${why.problem}` : unknownText(name, commands));
}

function unknownText(name: string, commands: readonly { name: string }[]): string {
  const names = commands.map((each) => each.name);
  const meant = closestName(name, names);
  const hint = meant ? `Did you mean /${meant}?` : `There are ${names.map((each) => `/${each}`).join(", ")}.`;
  return `There is no command /${name}. ${hint} To send a message that begins with a slash, put a space before it: harness run ' /${name} …'`;
}

/** Throws if the command has failed; a program's output is still its answer. */
export function reportAnswer(
  report: RunReport,
  name: string,
  { text, exitCode = 0, stdout }: Result<ServerMethods, "command/run">,
): void {
  if (exitCode !== 0 && stdout === undefined) throw new CliError("failed", text);
  report.answerCommand(text);
  if (exitCode !== 0) throw new CliError("failed", `/${name} ended with exit code ${exitCode}.`);
}
