import type { ToolTable } from "../../ports/tool.ts";
import { toolFinder } from "./tool-finder.ts";

/** Lists of tools by any name that a model may call them. `only` absent: all of them. */
type ToolLists = { only?: readonly string[] | undefined; without?: readonly string[] | undefined };

/** The tools that these lists leave of a table. Unknown names stand for nothing. */
export function selectTools(table: ToolTable, { only, without = [] }: ToolLists): ToolTable {
  if (only === undefined && without.length === 0) return table;
  const find = toolFinder(table.tools, table.aliases);
  const named = (names: readonly string[]) => new Set(names.map((name) => find(name)?.tool));
  const kept = only && named(only);
  const left = named(without);
  const tools = table.tools.filter((tool) => (kept?.has(tool) ?? true) && !left.has(tool));
  return { ...table, tools, ...(kept ? { isChosen: true } : {}) };
}
