import type { McpServerConfig } from "./server-config.ts";

/** The effective server of a name, and the files whose server of the same name it replaces. */
export type MergedServer = { config: McpServerConfig; shadows: readonly string[] };

/** For each name the most local server, from a list in ascending precedence, sorted by name. */
export function mergeServers(servers: readonly McpServerConfig[]): MergedServer[] {
  const merged = new Map<string, MergedServer>();
  for (const config of servers) {
    const other = merged.get(config.name);
    merged.set(config.name, { config, shadows: other ? [...other.shadows, other.config.from] : [] });
  }
  return [...merged.values()].sort((a, b) => (a.config.name < b.config.name ? -1 : 1));
}
