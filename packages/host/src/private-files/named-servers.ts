import { isRecord } from "../text/record.ts";

/**
 * The MCP servers in any program's file: `mcpServers` of most, `servers` of VS Code; undefined: none. Trust in a file
 * and its use depend on the same part of it.
 */
export function namedServers(value: unknown): unknown {
  return isRecord(value) ? (value.mcpServers ?? value.servers) : undefined;
}
