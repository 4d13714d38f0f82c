import { mcpToolsNamed } from "@harness/gate";
import type { ToolTable } from "../../ports/tool.ts";
import { toolFinder } from "./tool-finder.ts";

/** Lists of tools by any name that a model may call them, or that stands for some of an MCP server. `only` absent: all of them. */
type ToolLists = { only?: readonly string[] | undefined; without?: readonly string[] | undefined };

/** The tools that these lists leave of a table. Unknown names stand for nothing. */
export function selectTools(table: ToolTable, { only, without = [] }: ToolLists): ToolTable {
  if (only === undefined && without.length === 0) return table;
  const find = toolFinder(table.tools, table.aliases);
  const tools = (name: string) => {
    const ofServers = table.tools.filter(mcpToolsNamed(name) ?? none);
    return ofServers.length > 0 ? ofServers : [find(name)?.tool];
  };
  const named = (names: readonly string[]) => new Set(names.flatMap(tools));
  const kept = only && named(only);
  const left = named(without);
  const chosen = table.tools.filter((tool) => (kept?.has(tool) ?? true) && !left.has(tool));
  return { ...table, tools: chosen, ...(kept ? { isChosen: true } : {}) };
}

const none = () => false;
