import type { ToolAlias } from "../ports/tool.ts";
import { coreAliases, coreToolNames } from "./core-tools.ts";
import { toolFinder } from "./toolbox/tool-finder.ts";

/** The tool names that a table offers. */
export type NamedTools = {
  readonly tools: readonly { readonly name: string }[];
  readonly aliases: readonly ToolAlias[];
};

/** Returns a function that finds the session tool a name refers to; undefined if there is none. */
export function toolMeaning({ tools, aliases }: NamedTools): (name: string) => string | undefined {
  const all = [...tools, ...coreToolNames.map((name) => ({ name }))];
  const find = toolFinder<{ readonly name: string }>(all, [...aliases, ...coreAliases]);
  return (name) => find(name)?.tool.name;
}
