import type { SearchModelRole } from "@harness/protocol";
import { confirm } from "../confirm.ts";
import type { SubcommandContext } from "../run-subcommand.ts";

/** Says which texts a model gets. */
function leavingText(role: SearchModelRole, address: string): string {
  return role === "embedder"
    ? `The text of all indexed files goes to ${address} for their vectors, and each question for its own.`
    : `Each question goes to ${address} with the text of its first 30 results.`;
}

/**
 * Makes an embedder or a reranker the one of all indexes, after saying what is downloaded, or sent away. On a terminal a
 * person is asked before texts leave the machine. False if they say no.
 */
export async function chooseSearchModel(
  { client, cwd, line, note, stopping }: SubcommandContext,
  { role, name }: { role: SearchModelRole; name: string },
): Promise<boolean> {
  const { signal } = stopping;
  const described = await client.call("index/describe_embedder", { cwd, name, role }, { signal });
  const { leavesTo, installs } = described;
  if (leavesTo !== undefined) {
    note(leavingText(role, leavesTo));
    const question = "Send them there? [y/N] ";
    if (process.stdin.isTTY && !line.has("yes") && !(await confirm({ question, ...stopping }))) return false;
  }
  if (installs) note(`Installing the embedder ${described.name}: npm downloads ${installs.megabytes} MB.`);
  await client.call("index/set_embedder", { cwd, name, role, install: installs !== undefined }, { signal });
  return true;
}
