import type { ListedTool } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { textTable } from "../../text/text-table.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

const DOES = { readOnly: "looks", destructive: "changes", signal: "steers" } as const;
const HEADER = ["TOOL", "FROM", "DOES", "DESCRIPTION"];

/** `harness tools`: the tools that sessions of a folder have; MCP servers are started, as a session would do. */
export const toolsSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const { servers } = await client.call("mcp/list", { cwd });
  const isOff = ({ state, enabled }: (typeof servers)[number]) => enabled && state === "off";
  const started = servers.map((each) => (isOff(each) ? client.call("mcp/start", { cwd, name: each.name }) : each));
  for (const { name, state, problem } of await Promise.all(started))
    if (state !== "ready" && !line.has("json"))
      note(`harness: The tools of the MCP server ${visibleText(name)} are missing: ${visibleText(problem ?? state)}`);
  const found = await client.call("tools/list", { cwd });
  if (line.has("json")) say(JSON.stringify(found));
  else say(textTable(HEADER, found.tools.map(row), process.stdout.columns));
  if (!line.has("json")) for (const { problem } of found.unused) note(`harness: ${visibleText(problem)}`);
  return "done";
};

function row({ name, server, origin, category, description, shadows = [] }: ListedTool): string[] {
  const builtIn = server === undefined ? "built in" : `MCP server ${server}`;
  const from = origin === undefined ? builtIn : `${origin.owner === "person" ? "you" : "project"}: ${origin.path}`;
  const instead = shadows.length > 0 ? ` (replaces ${shadows.join(", ")})` : "";
  return [name, from + instead, DOES[category], description.split("\n", 1)[0] ?? ""];
}
