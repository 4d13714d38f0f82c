import type { ToolTable } from "../../ports/tool.ts";
import { toolFinder } from "./tool-finder.ts";

/** Lists of tools by any name that a model may call them. `only` absent: all of them. */
export type ToolNames = { only?: readonly string[] | undefined; without?: readonly string[] | undefined };

/** The tools that these lists leave of a table. Unknown names stand for nothing. */
export function selectTools({ tools, ...rest }: ToolTable, { only, without = [] }: ToolNames): ToolTable {
  const find = toolFinder(tools, rest.aliases);
  const named = (names: readonly string[]) => new Set(names.map((name) => find(name)?.tool));
  const kept = only && named(only);
  const left = named(without);
  return { ...rest, tools: tools.filter((tool) => (kept?.has(tool) ?? true) && !left.has(tool)) };
}

/** The names that stand for no tool of these. */
export function unknownTools(
  tools: readonly { readonly name: string }[],
  aliases: ToolTable["aliases"],
  names: readonly string[],
): string[] {
  const find = toolFinder(tools, aliases);
  return names.filter((name) => find(name) === undefined);
}
