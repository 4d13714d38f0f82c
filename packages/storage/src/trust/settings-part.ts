import { isRecord, namedServers, readLenientJson } from "@harness/host";

/**
 * The parts of Claude Code's settings that are used, that is hooks and MCP servers: its own permissions change with
 * every answer given there. Undefined: none is used; an unreadable text counts as a whole.
 */
export function claudePart(text: string): string | undefined {
  const json = readLenientJson(text);
  if (!("value" in json)) return text;
  const { hooks, disableAllHooks } = isRecord(json.value) ? json.value : {};
  const servers = namedServers(json.value);
  if (hooks === undefined && servers === undefined) return undefined;
  return JSON.stringify([hooks, disableAllHooks, ...(servers === undefined ? [] : [servers])]);
}

/** The same for the settings of Gemini CLI: its MCP servers. */
export function geminiPart(text: string): string | undefined {
  const json = readLenientJson(text);
  if (!("value" in json)) return text;
  const servers = namedServers(json.value);
  return servers === undefined ? undefined : JSON.stringify(servers);
}
