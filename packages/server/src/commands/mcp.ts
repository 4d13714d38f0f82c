import type { McpServerInfo } from "@harness/protocol";
import { type McpServers, mcpInfo } from "@harness/workspace";
import { misused, type ServerCommand, type ServerCommandContext } from "./server-command.ts";

const HELP = [
  "/mcp: the MCP servers of this folder, and their state",
  "/mcp tools NAME: what a server offers",
  "/mcp restart NAME: restart a server",
  "/mcp login NAME: log in to a server in the browser",
  "/mcp logs NAME: the last lines of a server's log",
].join("\n");

const LOG_LINES = 30;

/** Shows the MCP servers of a folder, restarts them, and logs in to them. */
export const mcpCommand: ServerCommand = {
  description: "Show the MCP servers and their tools, restart one, log in, read its log.",
  argumentHint: "[tools | restart | login | logs NAME]",
  needsSession: false,
  leavesLane: true,
  async run(context, args) {
    const [verb = "", ...words] = args.split(/\s+/).filter(Boolean);
    const name = words.join(" ");
    const folder = folderOf(context);
    await folder.refresh();
    if (verb === "") return serverList(folder);
    if (!["tools", "restart", "login", "logs"].includes(verb) || name === "") throw misused(HELP);
    const found = folder.entries.find(({ view }) => view.name === name);
    if (!found) throw misused(`There is no MCP server ${name}. /mcp lists them.`);
    if (verb === "tools") return offerText(mcpInfo(found, folder));
    if (verb === "logs") return lastLines(context, name);
    const pool = await folder.pool();
    if (verb === "restart") await pool?.restart(name);
    else await login(context, name);
    return stateLine(need(folder, name));
  },
};

function folderOf({ session, workspace, host }: ServerCommandContext): McpServers {
  return session ? host.sessions.live.need(session.sessionId).mcp : workspace.brought.mcp.servers();
}

function need(folder: McpServers, name: string): McpServerInfo {
  const found = folder.entries.find(({ view }) => view.name === name);
  if (!found) throw misused(`The MCP server ${name} no longer exists.`);
  return mcpInfo(found, folder);
}

/** The address is asked as a question, so that every client shows it. */
async function login({ session, host, signal, cwd }: ServerCommandContext, name: string): Promise<void> {
  if (!session) throw misused(`Without a session: harness mcp login ${name}`);
  const { requests, mcp } = host.sessions.live.need(session.sessionId);
  const pool = await mcp.pool();
  await pool?.login(
    name,
    async (question, until) => {
      if (question.kind !== "url" || !requests.canAskQuestion()) return { action: "decline" };
      const answer = await requests.askQuestion(
        {
          elicitationId: `mcp-login-${name}-${cwd.length}`,
          agentId: "main",
          message: `Log in to the MCP server ${name}: open this in a browser.\n${question.url}`,
          url: question.url,
          options: [
            { optionId: "opened", name: "I have opened it" },
            { optionId: "no", name: "Do not log in" },
          ],
          freeText: false,
        },
        until,
      );
      return "optionId" in answer && answer.optionId === "opened" ? { action: "accept" } : { action: "decline" };
    },
    signal,
  );
}

function serverList(folder: McpServers): string {
  const servers = folder.entries.map((entry) => mcpInfo(entry, folder));
  if (servers.length === 0 && folder.problems.length === 0)
    return "No MCP servers are configured. Add one: harness mcp add NAME -- COMMAND";
  const ofServers = new Set(servers.flatMap(({ notes }) => notes));
  return [...servers.map(stateLine), ...folder.problems.filter((each) => !ofServers.has(each))].join("\n");
}

function stateLine({ name, state, enabled, tools, prompts, resources, from, problem, notes }: McpServerInfo): string {
  const counts = [
    `${tools.length} tools`,
    ...(prompts.length > 0 ? [`${prompts.length} prompts`] : []),
    ...(resources.length > 0 ? [`${resources.length} resources`] : []),
  ].join(", ");
  const shown = !enabled ? "switched off" : state === "ready" ? `ready, ${counts}` : state.replace("-", " ");
  const more = [...(problem === undefined ? [] : [problem]), ...notes];
  return [`${name}: ${shown} (${from})`, ...more.map((each) => `  ${each}`)].join("\n");
}

function offerText({ name, tools, prompts, resources, notes, instructions }: McpServerInfo): string {
  const first = (text: string) => text.split("\n", 1)[0] ?? "";
  return [
    `${name}${instructions === undefined ? "" : `: ${first(instructions)}`}`,
    ...tools.map(
      ({ calledAs, name: tool, description }) => `${calledAs ?? `${tool} (not used)`}  ${first(description)}`,
    ),
    ...prompts.map((each) => `/mcp:${name}:${each.name}  ${first(each.description)}`),
    ...resources.map((each) => `@${name}:${each.uri}  ${first(each.description || each.name)}`),
    ...notes,
  ].join("\n");
}

function lastLines({ host }: ServerCommandContext, name: string): string {
  const { path, lines } = host.records.mcpLogs.lastLines(name, LOG_LINES);
  return lines.length === 0 ? `${path} is empty.` : lines.join("\n");
}
