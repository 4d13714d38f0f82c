import type { ToolTable } from "../ports/tool.ts";
import { coreAliases, coreToolNames } from "./core-tools.ts";
import { toolFinder } from "./toolbox/tool-finder.ts";

/** The names that stand for no tool of a session with this table. */
export function unknownTools({ tools, aliases }: ToolTable, names: readonly string[]): string[] {
  const all = [...tools, ...coreToolNames.map((name) => ({ name }))];
  const find = toolFinder<{ readonly name: string }>(all, [...aliases, ...coreAliases]);
  return names.filter((name) => find(name) === undefined);
}
