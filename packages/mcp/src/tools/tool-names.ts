import { createHash } from "node:crypto";

/** The limit of model APIs for tool names. */
const MAX_NAME = 64;
const MAX_SERVER = 32;
const HASH_CHARS = 8;

export type NamedTool = { server: string; tool: string };

/**
 * `mcp__server__tool` for each, in order. A name depends on its tool alone, except if two tools would get the same name
 * ignoring case: these end in a hash of their real names.
 */
export function mcpToolNames(tools: readonly NamedTool[]): string[] {
  const plain = tools.map(plainName);
  const counts = Map.groupBy(plain, (name) => name.toLowerCase());
  return tools.map((tool, at) => {
    const name = plain[at] ?? "";
    const isTwin = (counts.get(name.toLowerCase())?.length ?? 0) > 1;
    return isTwin ? withHash(name, tool) : name;
  });
}

/** A server's name as part of tool names. */
function serverSlug(server: string): string {
  const slug = slugOf(server);
  return slug.length > MAX_SERVER ? withHash(slug, { server, tool: "" }, MAX_SERVER) : slug;
}

function plainName({ server, tool }: NamedTool): string {
  const name = `mcp__${serverSlug(server)}__${slugOf(tool)}`;
  return name.length > MAX_NAME ? withHash(name, { server, tool }) : name;
}

function slugOf(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, "_") || "_";
}

function withHash(name: string, { server, tool }: NamedTool, maxChars = MAX_NAME): string {
  const hash = createHash("sha256").update(`${server}\n${tool}`).digest("hex").slice(0, HASH_CHARS);
  return `${name.slice(0, maxChars - HASH_CHARS - 1)}_${hash}`;
}
