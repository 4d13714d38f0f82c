import type { McpServerInfo } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { textTable } from "../../text/text-table.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

const HEADER = ["SERVER", "STATE", "TRANSPORT", "FROM"];
const TOOL_HEADER = ["TOOL", "HINTS", "DESCRIPTION"];
const UNTRUSTED = "It was not started, as this folder is not trusted. harness trust shows what it would run.";

/** `harness mcp list`: the MCP servers that files name for a folder. Starts none. */
export const mcpListSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const found = await client.call("mcp/list", { cwd });
  if (line.has("json")) {
    say(JSON.stringify(found));
    return "done";
  }
  for (const problem of found.problems) note(`harness: ${visibleText(problem)}`);
  if (found.servers.length === 0)
    say("No MCP servers are configured. Add one: harness mcp add NAME -- COMMAND, or harness mcp add NAME --url URL");
  else say(textTable(HEADER, found.servers.map(row), process.stdout.columns));
  const reported = new Set(found.problems);
  for (const text of found.servers.flatMap(({ notes }) => notes))
    if (!reported.has(text)) note(`harness: ${visibleText(text)}`);
  if (found.servers.some(({ state }) => state === "needs-trust"))
    note("harness: harness trust shows what they would run.");
  return "done";
};

/** `harness mcp test NAME`: starts a server once, and shows what it offers. */
export const mcpTestSubcommand: SubcommandHandler = async ({ client, line, cwd, say }) => {
  const [name = ""] = line.positionals;
  const server = await client.call("mcp/start", { cwd, name });
  if (line.has("json")) say(JSON.stringify(server));
  else say(tested(server));
  return server.state === "ready" ? "done" : "failed";
};

/** `harness mcp logs NAME`: the stderr output and log messages of a server. */
export const mcpLogsSubcommand: SubcommandHandler = async ({ client, line, say, note }) => {
  const [name = ""] = line.positionals;
  const lines = Number(line.value("last") ?? 100);
  const found = await client.call("mcp/logs", { name, lines: Number.isInteger(lines) && lines > 0 ? lines : 100 });
  if (found.lines.length === 0)
    note(`harness: ${visibleText(name)} has written nothing. harness mcp list shows the servers.`);
  else say(found.lines.map(visibleText).join("\n"));
  return "done";
};

function row({ name, state, enabled, reach, from }: McpServerInfo): string[] {
  return [name, enabled ? state : "switched off", reach, from];
}

function tested({ name, state, problem, version, era, tools, prompts, resources, notes }: McpServerInfo): string {
  const about = [version && `version ${version}`, era && `${era} protocol`].filter(Boolean).join(", ");
  const rows = tools.map(({ name: tool, readOnly, destructive, description }) => [
    tool,
    [readOnly ? "reads" : "", destructive ? "destroys" : ""].filter(Boolean).join(", "),
    description.split("\n", 1)[0] ?? "",
  ]);
  return [
    `${visibleText(name)}: ${state}${about === "" ? "" : ` (${visibleText(about)})`}`,
    ...(state === "needs-trust" ? [UNTRUSTED] : []),
    ...(problem === undefined ? [] : [visibleText(problem)]),
    ...(rows.length > 0 ? [textTable(TOOL_HEADER, rows, process.stdout.columns)] : []),
    ...(prompts.length > 0 ? [`Prompts: ${prompts.map((each) => visibleText(each.name)).join(", ")}`] : []),
    ...(resources.length > 0 ? [`Resources: ${resources.length}`] : []),
    ...notes.map(visibleText),
  ].join("\n");
}
