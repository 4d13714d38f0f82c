import { openMcpLogins, openMcpStore } from "@harness/storage";
import type { Bootstrap } from "../bootstrap.ts";
import { nodeClock } from "../system/node-clock.ts";
import { McpFolders } from "./mcp-folders.ts";

/**
 * The MCP servers of a harness, with what is kept of them between runs. Starts none. `onChanged` is called with the folder
 * after each change of its servers.
 */
export function openMcp(base: Bootstrap, version: string, onChanged: (cwd: string) => void): McpFolders {
  const { configPaths, sources, settings, egress, inspect } = base;
  const kept = { servers: openMcpStore(configPaths), logins: openMcpLogins(configPaths, nodeClock) };
  return new McpFolders({ harness: { version, configPaths }, kept, sources, settings, egress, inspect, onChanged });
}
