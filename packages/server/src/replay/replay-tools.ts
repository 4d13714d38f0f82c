import { type LiveTools, type RecordedTool, schemaArgs, type Tool, type ToolTable } from "@harness/core";

/**
 * The tools of now, with those of other programs as they were described then: no program is started for a replay. None of
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
        const own = of.tools.filter((tool) => tool.mcp === undefined && !tool.served);
        // Those of MCP servers come last.
        const [builtin, brought] = [own.filter((tool) => !tool.inputSchema), own.filter((tool) => tool.inputSchema)];
        const [language, mcp] = [then.filter((tool) => !tool.mcp), then.filter((tool) => tool.mcp)];
        const tools = [...builtin, ...language.flatMap(standIn), ...brought, ...mcp.flatMap(standIn)];
        made = { of, served: then, table: { ...of, tools } };
      }
      return made.table;
    },
  };
}

function standIn(recorded: RecordedTool): Tool[] {
  const { name, description, brief, inputSchema, category, offer, mcp, subject, usesStaged } = recorded;
  const checked = schemaArgs(inputSchema ?? {});
  if ("problem" in checked) return [];
  const tool: Tool<Record<string, unknown>> = {
    ...{ name, description, ...checked, category },
    ...(mcp ? { subject: "mcp" } : subject === "path" || subject === "argv" || subject === "host" ? { subject } : {}),
    ...(mcp ? { mcp } : { served: true }),
    ...(brief === undefined ? {} : { brief }),
    ...(offer === undefined ? {} : { offer }),
    ...(usesStaged === true ? { usesStaged } : {}),
    effects: () => [],
    title: () => name,
    run: async () => ({ status: "error", text: "A replay runs no tool.", blocks: [] }),
  };
  return [tool as Tool];
}
