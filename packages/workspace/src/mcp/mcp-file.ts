import { join } from "node:path";
import { realPathOf, textFile } from "@harness/host";
import { type CallParams, protocolError, type ServerMethods } from "@harness/protocol";

type McpModule = typeof import("@harness/mcp");
type AddedServer = Omit<CallParams<ServerMethods, "mcp/add">, "cwd">;
type RemovedServer = Omit<CallParams<ServerMethods, "mcp/remove">, "cwd">;

/** The folders of the user's own `mcp.json` and of the project's `.mcp.json`. */
export type McpFileLocations = { own: string; project: string };

/** Adds a server to one of the files, and returns its path. Throws errors for the client. */
export async function addServer(
  places: McpFileLocations,
  { scope, name, ...entry }: AddedServer,
): Promise<{ path: string }> {
  if ((entry.command === undefined) === (entry.url === undefined)) {
    const message = "An MCP server has either a command or a URL.";
    throw protocolError("invalid_params", message, { issues: [{ path: "command", message }] });
  }
  const { transport, ...rest } = entry;
  return edit(places, { scope, name }, (mcp, text) =>
    mcp.withServer(text, name, { ...(transport ? { type: transport } : {}), ...rest }),
  );
}

/** Removes a server from one of the files, and returns its path. Throws errors for the client. */
export function removeServer(places: McpFileLocations, { scope, name }: RemovedServer): Promise<{ path: string }> {
  return edit(places, { scope, name }, (mcp, text) => mcp.withoutServer(text, name));
}

async function edit(
  { own, project }: McpFileLocations,
  { scope, name }: RemovedServer,
  change: (mcp: McpModule, text: string | undefined) => { text: string } | { problem: string },
): Promise<{ path: string }> {
  const mcp = await import("@harness/mcp");
  const isOwn = scope === "user";
  const path = isOwn ? join(own, "mcp.json") : join(project, ".mcp.json");
  if (!isOwn && !(await realPathOf(path)).startsWith(join(await realPathOf(project), "/"))) {
    const message = `${path} points outside ${project}: nothing was written.`;
    throw protocolError("invalid_params", message, { issues: [{ path: "scope", message }] });
  }
  let wrong: string | undefined;
  const file = textFile({ path, what: "the MCP servers", mode: isOwn ? 0o600 : 0o644 });
  const saved = file.change((text) => {
    const edited = change(mcp, text);
    if ("text" in edited) return edited.text;
    wrong = edited.problem;
    return undefined;
  });
  if ("problem" in saved) {
    if (saved.kind === "failed") throw protocolError("storage_failed", saved.problem);
    // A lock is temporary.
    throw protocolError("conflict", saved.problem, saved.kind === "held" ? { retryable: true } : {});
  }
  if (wrong !== undefined) throw protocolError("conflict", `${path} ${wrong}: ${name}.`, {});
  return { path };
}
