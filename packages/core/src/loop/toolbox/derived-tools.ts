import type { LiveTools, Tool, ToolTable } from "../../ports/tool.ts";

/** An extension's current tools; the same table as long as nothing has changed. */
export type CurrentTools = Pick<LiveTools, "current">;

/** Tools derived from others, and derived again whenever those have changed. */
export function derivedTools(from: CurrentTools, make: (table: ToolTable) => ToolTable): CurrentTools {
  let made: { of: ToolTable; table: ToolTable } | undefined;
  return {
    current() {
      const of = from.current();
      if (made?.of !== of) made = { of, table: make(of) };
      return made.table;
    },
  };
}

/** Adds one tool as long as it is wanted. */
export function withTool(from: CurrentTools, tool: Tool, isWanted: () => boolean): CurrentTools {
  const joined = derivedTools(from, (table) => ({ ...table, tools: [...table.tools, tool] }));
  return { current: () => (isWanted() ? joined : from).current() };
}
