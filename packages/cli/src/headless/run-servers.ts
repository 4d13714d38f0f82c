import type { HarnessClient, Session } from "@harness/client";
import type { McpServerInfo } from "@harness/protocol";

/** An MCP server in the result of a run. */
export type RunServer = { name: string; status: McpServerInfo["state"]; problem?: string };

/** A slower start is reported. */
const SILENT_MS = 2_000;

/**
 * Starts the MCP servers of a session and waits until each is ready or has failed, at most for its own limit. Reports
 * the servers that did not start; servers of an untrusted folder are named with the folder.
 */
export async function startServers(
  { client, session }: { client: HarnessClient; session: Session },
  say: (text: string) => void,
): Promise<RunServer[]> {
  const { servers } = await client.call("mcp/list", session.place);
  const wanted = servers.filter(({ enabled, state }) => enabled && state !== "needs-trust");
  if (wanted.length === 0) return servers.filter(({ enabled }) => enabled).map(runServer);
  const waiting = new Set(wanted.map(({ name }) => name));
  const timer = setTimeout(() => say(`Waiting for MCP servers to start: ${[...waiting].join(", ")}.`), SILENT_MS);
  const start = async (server: McpServerInfo) => {
    const started = await client.call("mcp/start", { ...session.place, name: server.name });
    waiting.delete(server.name);
    return started;
  };
  try {
    const started = await Promise.all(wanted.map(start));
    for (const server of started) if (server.state !== "ready") say(absenceOf(server));
    const rest = servers.filter((server) => server.enabled && !wanted.includes(server));
    return [...started, ...rest].map(runServer).sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    clearTimeout(timer);
  }
}

function absenceOf({ name, state, problem }: McpServerInfo): string {
  if (state === "needs-login") return `The MCP server ${name} needs a login: harness mcp login ${name}`;
  return problem ?? `The MCP server ${name} did not start: harness mcp test ${name} shows why.`;
}

function runServer({ name, state, problem }: McpServerInfo): RunServer {
  return { name, status: state, ...(problem === undefined ? {} : { problem }) };
}
