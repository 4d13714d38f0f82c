import { type CallParams, type Handlers, type mcpMethods, protocolError, type ServerMethods } from "@harness/protocol";
import {
  addServer,
  completeMcp,
  type McpAsk,
  type McpFileLocations,
  type McpServers,
  mcpInfo,
  removeServer,
} from "@harness/workspace";
import type { Client } from "../../clients/client.ts";
import type { HandlerHost } from "../../handler-host.ts";

type Where = { sessionId?: string | undefined; cwd?: string | undefined };

export function mcpHandlers(host: HandlerHost, client: Client): Handlers<typeof mcpMethods> {
  return {
    async "mcp/list"(where) {
      const folder = await folderOf(host, where);
      return { servers: folder.entries.map((entry) => mcpInfo(entry, folder)), problems: [...folder.problems] };
    },
    async "mcp/start"({ name, restart, ...where }) {
      const folder = await folderOf(host, where);
      const pool = await folder.pool();
      const { state } = needEntry(folder, name).view;
      await (restart && state !== "off" ? pool?.restart(name) : pool?.start(name));
      return mcpInfo(needEntry(folder, name), folder);
    },
    async "mcp/login"({ name, ...where }, { signal }) {
      const folder = await folderOf(host, where);
      needEntry(folder, name);
      const pool = await folder.pool();
      const ask: McpAsk = async (question) => {
        if (question.kind !== "url") return { action: "decline" };
        client.peer.notify("mcp/login_address", { name, url: question.url });
        return { action: "accept" };
      };
      await pool?.login(name, ask, signal);
      return mcpInfo(needEntry(folder, name), folder);
    },
    async "mcp/complete"({ sessionId, cwd, ...asked }, { signal }) {
      const folder = await folderOf(host, { sessionId, cwd });
      const pool = await folder.pool();
      const items = await completeMcp(
        folder,
        asked,
        async (server, request) => (await pool?.complete(server, request, signal)) ?? [],
      );
      return { items };
    },
    "mcp/logs": ({ name, lines }) => host.records.mcpLogs.lastLines(name, lines),
    "mcp/add": ({ cwd, ...added }) => edit(host, { cwd, scope: added.scope }, (places) => addServer(places, added)),
    "mcp/remove": ({ cwd, ...removed }) =>
      edit(host, { cwd, scope: removed.scope }, (places) => removeServer(places, removed)),
  };
}

/** The servers of a session, or of a folder, as its files currently name them. */
async function folderOf(host: HandlerHost, { sessionId, cwd }: Where): Promise<McpServers> {
  const folder =
    sessionId === undefined
      ? (await host.workspaces.need(cwd)).brought.mcp.servers()
      : host.sessions.live.need(sessionId).mcp;
  await folder.refresh();
  return folder;
}

function needEntry(folder: McpServers, name: string) {
  const entry = folder.entries.find(({ view }) => view.name === name);
  if (entry) return entry;
  const names = folder.entries.map(({ view }) => view.name);
  const known = names.length === 0 ? "None are configured." : `There are: ${names.join(", ")}.`;
  throw protocolError("not_found", `There is no MCP server ${name}. ${known}`, { what: "mcp server", id: name });
}

async function edit(
  { workspaces, person }: HandlerHost,
  { cwd, scope }: Pick<CallParams<ServerMethods, "mcp/remove">, "cwd" | "scope">,
  change: (places: McpFileLocations) => Promise<{ path: string }>,
): Promise<{ path: string }> {
  const { folder, brought } = scope === "user" ? workspaces.own : await workspaces.need(cwd);
  const changed = await change({ own: person.folder, project: folder });
  brought.sources.forgetMoment();
  return changed;
}
