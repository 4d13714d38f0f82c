import type { ToolTable } from "../ports/tool.ts";
import { coreAliases, coreToolNames } from "./core-tools.ts";
import { toolFinder } from "./toolbox/tool-finder.ts";

/** Finds the name of the tool of a session with this table that a name stands for; undefined where there is none. */
export function toolMeaning({ tools, aliases }: ToolTable): (name: string) => string | undefined {
  const all = [...tools, ...coreToolNames.map((name) => ({ name }))];
  const find = toolFinder<{ readonly name: string }>(all, [...aliases, ...coreAliases]);
  return (name) => find(name)?.tool.name;
}
