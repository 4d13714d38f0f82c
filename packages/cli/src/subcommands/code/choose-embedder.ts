import { confirm } from "../confirm.ts";
import type { SubcommandContext } from "../run-subcommand.ts";

/**
 * Makes an embedder the one of all indexes, after saying what is downloaded, or sent away. On a terminal a person is
 * asked before texts leave the machine. False if they say no.
 */
export async function chooseEmbedder(
  { client, cwd, line, note, stopping }: SubcommandContext,
  name: string,
): Promise<boolean> {
  const { signal } = stopping;
  const described = await client.call("index/describe_embedder", { cwd, name }, { signal });
  const { leavesTo, installs } = described;
  if (leavesTo !== undefined) {
    note(`The text of all indexed files goes to ${leavesTo} for their vectors, and each question for its own.`);
    const question = "Send them there? [y/N] ";
    if (process.stdin.isTTY && !line.has("yes") && !(await confirm({ question, ...stopping }))) return false;
  }
  if (installs) note(`Installing the embedder ${described.name}: npm downloads ${installs.megabytes} MB.`);
  await client.call("index/set_embedder", { cwd, name, install: installs !== undefined }, { signal });
  return true;
}
