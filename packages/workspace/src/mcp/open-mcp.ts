import { openMcpLogins, openMcpStore } from "@harness/storage";
import type { Bootstrap } from "../bootstrap.ts";
import { nodeClock } from "../system/node-clock.ts";
import { McpFolders, type McpFoldersDeps } from "./mcp-folders.ts";

type OpenMcpDeps = Pick<McpFoldersDeps, "onChanged"> & Pick<McpFoldersDeps["kept"], "redactor"> & { version: string };

/**
 * The MCP servers of a harness, with what is kept of them between runs. Starts none. `onChanged` is called with the folder
 * after each change of its servers.
 */
export function openMcp(base: Bootstrap, { version, redactor, onChanged }: OpenMcpDeps): McpFolders {
  const { configPaths, sources, settings, egress, inspect } = base;
  const kept = { servers: openMcpStore(configPaths), logins: openMcpLogins(configPaths, nodeClock), redactor };
  return new McpFolders({ harness: { version, configPaths }, kept, sources, settings, egress, inspect, onChanged });
}
