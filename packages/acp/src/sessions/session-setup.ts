import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { McpServer } from "@agentclientprotocol/sdk/unstable";
import type { SessionTerms } from "@harness/client";
import { invalidParams } from "../peer/request-failure.ts";

type Setup = {
  cwd: string;
  additionalDirectories?: string[] | null;
  mcpServers?: McpServer[] | null;
  _meta?: Record<string, unknown> | null;
};

/** Characters of instructions that a client may add. */
const MAX_INSTRUCTIONS = 20_000;

/** The terms of a session as a client asks for it. */
export async function readTerms({ cwd, additionalDirectories, mcpServers, _meta }: Setup): Promise<SessionTerms> {
  const servers = Object.fromEntries((mcpServers ?? []).map((server) => [server.name, serverEntry(server)]));
  const more = (additionalDirectories ?? []).map((folder) => folderWithoutLinks("additionalDirectories", folder));
  const [folder, ...folders] = await Promise.all([folderWithoutLinks("cwd", cwd), ...more]);
  return {
    cwd: folder,
    // The client names the folder that it has open.
    isFolderNamed: true,
    additionalDirectories: folders,
    ...(Object.keys(servers).length > 0 && { mcp: { files: [], servers, strict: false } }),
    ...instructionsIn(_meta),
  };
}

/** `_meta.systemPrompt`, a text or `{ append }`, is added to the system text, like `--append-system-prompt`. */
function instructionsIn(meta: Setup["_meta"]): Pick<SessionTerms, "customInstructions"> {
  const wish = meta?.systemPrompt;
  const text = typeof wish === "object" && wish !== null && "append" in wish ? wish.append : wish;
  if (text === undefined || text === null) return {};
  if (typeof text !== "string") throw invalidParams("_meta.systemPrompt: a text is expected, or { append: TEXT }.");
  if (text.length > MAX_INSTRUCTIONS)
    throw invalidParams(
      `_meta.systemPrompt: it has ${text.length} characters, and at most ${MAX_INSTRUCTIONS} are taken.`,
    );
  return { customInstructions: text };
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
