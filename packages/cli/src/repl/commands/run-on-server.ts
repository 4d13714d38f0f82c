import { commandsOf, insteadOf, lineWays } from "@harness/client/commands";
import { closestName } from "../../command-line/closest-name.ts";
import { CliError } from "../../process/exit-codes.ts";
import type { LineContext } from "./line-context.ts";

type GivenCommand = { readonly name: string; readonly args: string };

/** Runs a command of the server. */
export async function runOnServer({ mode, lines }: LineContext, { name, args }: GivenCommand): Promise<void> {
  const { client, session } = mode;
  const { commands, unused } = await client.call("commands/list", { ...session.place, name });
  const found = commands.find((each) => [each.name.toLowerCase(), ...(each.aliases ?? [])].includes(name));
  if (!found) {
    const why = unused.find((each) => each.name.toLowerCase() === name)?.problem;
    const own = commandsOf("lines").map(({ names: [first] }) => first);
    const meant = closestName(name, [...own, ...commands.map((each) => each.name)]);
    const hint = meant ? `Did you mean /${meant}?` : "/help lists them.";
    throw new CliError("usage", why ?? insteadOf(name)?.(lineWays) ?? `There is no command /${name}. ${hint}`);
  }
  const needsSession = found.needsSession || found.startsTurn === true;
  if (mode.isBusy && found.startsTurn)
    throw new CliError("usage", `A turn is running: /${name} can be run when it has ended.`);
  const run = async (): Promise<boolean> => {
    const { text, turnId } = await session.command({ name: found.name, args }, { needsSession });
    if (text !== "") lines.print(text);
    return turnId !== undefined;
  };
  if (mode.isBusy) await run();
  else await mode.turn(run);
}
