import { insteadOf, lineWays } from "@harness/client/actions";
import { closestName } from "../../command-line/closest-name.ts";
import { CliError } from "../../process/exit-codes.ts";
import type { LinePlace } from "./line-place.ts";

export type GivenCommand = { readonly name: string; readonly args: string };

/** Runs a command that the server has; `known`: names of others, for a name that is mistyped. */
export async function runOnServer(
  { mode, lines }: LinePlace,
  { name, args }: GivenCommand,
  known: readonly string[] = [],
): Promise<void> {
  const { client, session } = mode;
  const { commands, unused } = await client.call("commands/list", { ...session.place, name });
  const found = commands.find((each) => [each.name.toLowerCase(), ...(each.aliases ?? [])].includes(name));
  if (!found) {
    const why = unused.find((each) => each.name.toLowerCase() === name)?.problem;
    const meant = closestName(name, [...known, ...commands.map((each) => each.name)]);
    const hint = meant ? `Did you mean /${meant}?` : "/help lists them.";
    throw new CliError("usage", why ?? insteadOf(name, lineWays) ?? `There is no command /${name}. ${hint}`);
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
