import { isRecord } from "../text/record.ts";

/**
 * The MCP servers in any program's file: `mcpServers` in most, `servers` in VS Code's; undefined if there are none.
 * Trust in a file and its use depend on the same part of it.
 */
export function namedServers(value: unknown): unknown {
  return isRecord(value) ? (value.mcpServers ?? value.servers) : undefined;
}
