import type { ToolAlias } from "../ports/tool.ts";
import { coreAliases, coreToolNames } from "./core-tools.ts";
import { toolFinder } from "./toolbox/tool-finder.ts";

/** The tool names that a table offers. */
export type NamedTools = {
  readonly tools: readonly { readonly name: string }[];
  readonly aliases: readonly ToolAlias[];
};

/** Finds the name of the tool of a session with this table that a name stands for; undefined where there is none. */
export function toolMeaning({ tools, aliases }: NamedTools): (name: string) => string | undefined {
  const all = [...tools, ...coreToolNames.map((name) => ({ name }))];
  const find = toolFinder<{ readonly name: string }>(all, [...aliases, ...coreAliases]);
  return (name) => find(name)?.tool.name;
}
