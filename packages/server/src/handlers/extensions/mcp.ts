import { join } from "node:path";
import { realPathOf, textFile } from "@harness/host";
import type { McpAsk } from "@harness/mcp";
import { type CallParams, type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import { completeMcp, type McpFolder, mcpInfo, requireDirectory } from "@harness/workspace";
import type { Client } from "../../clients/client.ts";
import type { HandlerHost } from "../../handler-host.ts";

type Names = "mcp/list" | "mcp/start" | "mcp/login" | "mcp/logs" | "mcp/complete" | "mcp/add" | "mcp/remove";
type Where = { sessionId?: string | undefined; cwd?: string | undefined };
type Edit = Pick<CallParams<ServerMethods, "mcp/remove">, "cwd" | "scope" | "name">;

export function mcpHandlers(host: HandlerHost, client: Client): Pick<Handlers<ServerMethods>, Names> {
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
    "mcp/logs": ({ name, lines }) => host.extensions.mcp.lastLines(name, lines),
    async "mcp/add"({ cwd, scope, name, ...entry }) {
      if ((entry.command === undefined) === (entry.url === undefined)) {
        const message = "An MCP server has either a command or a URL.";
        throw protocolError("invalid_params", message, { issues: [{ path: "command", message }] });
      }
      const { withServer } = await import("@harness/mcp");
      const { transport, ...rest } = entry;
      return edit(host, { cwd, scope, name }, (text) =>
        withServer(text, name, { ...(transport ? { type: transport } : {}), ...rest }),
      );
    },
    async "mcp/remove"(where) {
      const { withoutServer } = await import("@harness/mcp");
      return edit(host, where, (text) => withoutServer(text, where.name));
    },
  };
}

/** The servers of a session, or of a folder, as its files name them now. */
async function folderOf(host: HandlerHost, { sessionId, cwd }: Where): Promise<McpFolder> {
  if (sessionId === undefined && cwd !== undefined) await requireDirectory(cwd);
  const folder =
    sessionId === undefined ? host.extensions.mcp.at(cwd ?? host.identity.cwd) : host.sessions.live.need(sessionId).mcp;
  await folder.refresh();
  return folder;
}

function needEntry(folder: McpFolder, name: string) {
  const entry = folder.entries.find(({ view }) => view.name === name);
  if (entry) return entry;
  const names = folder.entries.map(({ view }) => view.name);
  const known = names.length === 0 ? "None are configured." : `There are: ${names.join(", ")}.`;
  throw protocolError("not_found", `There is no MCP server ${name}. ${known}`, { what: "mcp server", id: name });
}

async function edit(
  host: HandlerHost,
  { cwd = host.identity.cwd, scope, name }: Edit,
  change: (text: string | undefined) => { text: string } | { problem: string },
): Promise<{ path: string }> {
  const isOwn = scope === "user";
  if (!isOwn) await requireDirectory(cwd);
  const path = isOwn ? join(host.extensions.mcp.root, "mcp.json") : join(cwd, ".mcp.json");
  if (!isOwn && !(await realPathOf(path)).startsWith(join(await realPathOf(cwd), "/"))) {
    const message = `${path} points outside ${cwd}: nothing was written.`;
    throw protocolError("invalid_params", message, { issues: [{ path: "scope", message }] });
  }
  let wrong: string | undefined;
  const file = textFile({ path, what: "the MCP servers", mode: isOwn ? 0o600 : 0o644 });
  const saved = file.change((text) => {
    const edited = change(text);
    if ("text" in edited) return edited.text;
    wrong = edited.problem;
    return undefined;
  });
  if ("problem" in saved) {
    if (saved.kind === "failed") throw protocolError("storage_failed", saved.problem);
    // A lock passes by itself.
    throw protocolError("conflict", saved.problem, saved.kind === "held" ? { retryable: true } : {});
  }
  if (wrong !== undefined) throw protocolError("conflict", `${path} ${wrong}: ${name}.`, {});
  host.extensions.sources.forgetMoment();
  return { path };
}
