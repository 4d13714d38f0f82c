import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { ContentBlock, McpServer, SystemPrompt } from "@agentclientprotocol/sdk/unstable";
import type { SessionTerms } from "@harness/client";
import { invalidParams } from "../peer/request-failure.ts";

type Setup = {
  cwd: string;
  additionalDirectories?: string[] | null;
  mcpServers?: McpServer[] | null;
  systemPrompt?: SystemPrompt | null;
  _meta?: Record<string, unknown> | null;
};

/** Characters of instructions that a client may add. */
const MAX_INSTRUCTIONS = 20_000;

/** The terms of a session as a client asks for it. */
export async function readTerms({
  cwd,
  additionalDirectories,
  mcpServers,
  ...instructions
}: Setup): Promise<SessionTerms> {
  const servers = Object.fromEntries((mcpServers ?? []).map((server) => [server.name, serverEntry(server)]));
  const more = (additionalDirectories ?? []).map((folder) => folderWithoutLinks("additionalDirectories", folder));
  const [folder, ...folders] = await Promise.all([folderWithoutLinks("cwd", cwd), ...more]);
  return {
    cwd: folder,
    // The client names the folder that it has open.
    isFolderNamed: true,
    additionalDirectories: folders,
    ...(Object.keys(servers).length > 0 && { mcp: { files: [], servers, strict: false } }),
    ...instructionsIn(instructions),
  };
}

/**
 * The client's part of the system text, as with `--append-system-prompt`: `systemPrompt` in the mode `append`, or as older
 * clients have it `_meta.systemPrompt`, a text or `{ append }`.
 */
function instructionsIn({
  systemPrompt,
  _meta,
}: Pick<Setup, "systemPrompt" | "_meta">): Pick<SessionTerms, "customInstructions"> {
  const text = systemPrompt ? appended(systemPrompt) : appendedByMeta(_meta?.systemPrompt);
  if (text === undefined) return {};
  if (text.length > MAX_INSTRUCTIONS)
    throw invalidParams(`systemPrompt: it has ${text.length} characters, and at most ${MAX_INSTRUCTIONS} are taken.`);
  return { customInstructions: text };
}

function appended({ mode, content }: SystemPrompt): string {
  if (mode !== "append")
    throw invalidParams(`systemPrompt: the mode ${mode} is not supported; harness adds to its own text with append.`);
  if (content.length === 0) throw invalidParams("systemPrompt: it is empty.");
  return content.map(textBlock).join("\n\n");
}

function textBlock(block: ContentBlock): string {
  if (block.type !== "text") throw invalidParams(`systemPrompt: ${block.type} is not supported, only text.`);
  return block.text;
}

function appendedByMeta(wish: unknown): string | undefined {
  const text = typeof wish === "object" && wish !== null && "append" in wish ? wish.append : wish;
  if (text === undefined || text === null) return undefined;
  if (typeof text !== "string") throw invalidParams("_meta.systemPrompt: a text is expected, or { append: TEXT }.");
  return text;
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
