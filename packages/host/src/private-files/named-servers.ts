import { isRecord } from "../text/record.ts";

/**
 * What a file of any program names as MCP servers: `mcpServers` of most, `servers` of VS Code; undefined: nothing. Trust in a
 * file and its use go by the same part of it.
 */
export function namedServers(value: unknown): unknown {
  return isRecord(value) ? (value.mcpServers ?? value.servers) : undefined;
}
