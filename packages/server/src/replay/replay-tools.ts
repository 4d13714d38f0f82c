import { type LiveTools, type RecordedTool, schemaArgs, type Tool, type ToolTable } from "@harness/core";

/**
 * The tools of now, with those of MCP servers as they were described then: no server is started for a replay. None of
 * them is ever run.
 */
export function replayTools(now: LiveTools, served: () => readonly RecordedTool[]): LiveTools {
  let made: { of: ToolTable; served: readonly RecordedTool[]; table: ToolTable } | undefined;
  return {
    prepare: () => undefined,
    forRules: () => now.forRules(),
    current() {
      const of = now.current();
      const then = served();
      if (made?.of !== of || made.served !== then) {
        const own = of.tools.filter(({ mcp }) => mcp === undefined);
        made = { of, served: then, table: { ...of, tools: [...own, ...then.flatMap(standIn)] } };
      }
      return made.table;
    },
  };
}

function standIn({ name, description, brief, inputSchema, category, offer, mcp }: RecordedTool): Tool[] {
  const checked = schemaArgs(inputSchema ?? {});
  if ("problem" in checked || mcp === undefined) return [];
  const tool: Tool<Record<string, unknown>> = {
    ...{ name, description, ...checked, category, mcp, subject: "mcp" },
    ...(brief === undefined ? {} : { brief }),
    ...(offer === undefined ? {} : { offer }),
    effects: () => [],
    title: () => name,
    run: async () => ({ status: "error", text: "A replay runs no tool.", blocks: [] }),
  };
  return [tool as Tool];
}
