import type { McpServerConfig } from "./server-config.ts";

/** The one of a name that counts, and the files whose server of the same name it takes the place of. */
export type MergedServer = { config: McpServerConfig; shadows: readonly string[] };

/** Of each name the most local server, from the order low to high, by name. */
export function mergeServers(servers: readonly McpServerConfig[]): MergedServer[] {
  const merged = new Map<string, MergedServer>();
  for (const config of servers) {
    const other = merged.get(config.name);
    merged.set(config.name, { config, shadows: other ? [...other.shadows, other.config.from] : [] });
  }
  return [...merged.values()].sort((a, b) => (a.config.name < b.config.name ? -1 : 1));
}
