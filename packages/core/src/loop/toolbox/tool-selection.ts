import { mcpToolsNamed } from "@harness/gate";
import type { ToolTable } from "../../ports/tool.ts";
import { toolFinder } from "./tool-finder.ts";

/**
 * Lists of tools by any name that a model may use for them, or that covers several tools of an MCP server. `only`
 * absent: all of them.
 */
type ToolLists = { only?: readonly string[] | undefined; without?: readonly string[] | undefined };

/** The tools of a table that these lists allow. Unknown names match nothing. */
export function selectTools(table: ToolTable, { only, without = [] }: ToolLists): ToolTable {
  if (only === undefined && without.length === 0) return table;
  const find = toolFinder(table.tools, table.aliases);
  const tools = (name: string) => {
    const ofServers = table.tools.filter(mcpToolsNamed(name) ?? none);
    return ofServers.length > 0 ? ofServers : [find(name)?.tool];
  };
  const isSure = (name: string) => {
    const found = find(name);
    return (
      found?.isGuess !== true || [found.tool.name, found.alias?.name].some((each) => each && sameLetters(each, name))
    );
  };
  // A guess is good enough to remove a tool, not to grant one.
  const kept = only && new Set(only.filter(isSure).flatMap(tools));
  const left = new Set(without.flatMap(tools));
  const chosen = table.tools.filter((tool) => (kept?.has(tool) ?? true) && !left.has(tool));
  return { ...table, tools: chosen, ...(kept ? { isChosen: true } : {}) };
}

const none = () => false;

/**
 * True if only the spelling differs: `WebFetch` or `functions.web_fetch` for `web_fetch`. `tool_search` is a name of
 * its own.
 */
function sameLetters(one: string, other: string): boolean {
  const letters = (name: string) =>
    name
      .replace(/^functions?[./:_]|^tools?[./:]/i, "")
      .toLowerCase()
      .replace(/[^a-z0-9]/g, "");
  return letters(one) === letters(other);
}
