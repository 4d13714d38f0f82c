import type { NamedAgentView } from "@harness/protocol";
import { textTable } from "../text/text-table.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

const HEADER = ["AGENT", "FROM", "TOOLS", "MODEL", "DESCRIPTION"];

/** `harness agents list`: the named agents in effect in the folder. */
export const agentsListSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const found = await client.call("agents/definitions", { cwd });
  if (line.has("json")) {
    say(JSON.stringify(found));
    return "done";
  }
  for (const { problem } of found.unused) note(`harness: ${problem}`);
  if (found.unused.some(({ needsTrust }) => needsTrust)) note("harness: harness trust shows what they would do.");
  for (const { name, notes } of found.agents) for (const each of notes) note(`harness: ${name}: ${each}.`);
  if (found.agents.length === 0) say("There are no named agents here. In the window, /agents new NAME creates one.");
  else say(textTable(HEADER, found.agents.map(row), process.stdout.columns));
  return "done";
};

function row({ name, owner, tools, model = "", description }: NamedAgentView): string[] {
  return [name, owner === "person" ? "you" : "project", tools ? tools.join(" ") || "none" : "all", model, description];
}
