import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { McpServer } from "@agentclientprotocol/sdk/unstable";
import type { SessionTerms } from "@harness/client";
import { invalidParams } from "../peer/request-failure.ts";

type Setup = { cwd: string; additionalDirectories?: string[] | null; mcpServers?: McpServer[] | null };

/** The terms of a session as a client asks for it. */
export async function readTerms({ cwd, additionalDirectories, mcpServers }: Setup): Promise<SessionTerms> {
  const servers = Object.fromEntries((mcpServers ?? []).map((server) => [server.name, serverEntry(server)]));
  const more = (additionalDirectories ?? []).map((folder) => folderWithoutLinks("additionalDirectories", folder));
  const [folder, ...folders] = await Promise.all([folderWithoutLinks("cwd", cwd), ...more]);
  return {
    cwd: folder,
    // The client names the folder that it has open.
    isFolderNamed: true,
    additionalDirectories: folders,
    ...(Object.keys(servers).length > 0 && { mcp: { files: [], servers, strict: false } }),
  };
}

/** Sessions are found by folders without links in their paths. */
export async function folderWithoutLinks(field: string, folder: string): Promise<string> {
  if (!isAbsolute(folder)) throw invalidParams(`${field}: ${folder} is not an absolute path.`);
  return await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "does not exist" : `cannot be opened (${error.code})`;
    throw invalidParams(`${field}: ${folder} ${why}.`);
  });
}

/** In the form of `mcp.json`. */
function serverEntry(server: McpServer): Record<string, unknown> {
  if (!("type" in server)) {
    const { command, args, env } = server;
    return { command, args: args ?? [], env: pairs(env) };
  }
  if (server.type === "acp") throw invalidParams(`mcpServers: ${server.name} cannot be reached over this connection.`);
  return { type: server.type, url: server.url, headers: pairs(server.headers) };
}

function pairs(list: readonly { name: string; value: string }[] | null | undefined): Record<string, string> {
  return Object.fromEntries((list ?? []).map(({ name, value }) => [name, value]));
}
