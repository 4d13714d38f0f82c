import { coreToolList } from "@harness/core";
import type { ListedTool, Result, ServerMethods } from "@harness/protocol";
import type { McpServers, Workspace } from "@harness/workspace";

/** All tools of a workspace's sessions, and files that are not tools. */
export async function listTools({ brought }: Workspace): Promise<Result<ServerMethods, "tools/list">> {
  const { tools, mcp } = brought;
  await tools.programs.prepare();
  const { tools: executables, unused } = tools.programs.tools();
  const replaced = new Set(executables.map(({ name }) => name));
  const { builtin } = tools;
  const names = new Set(builtin.map(({ name }) => name));
  return {
    tools: [
      ...builtin
        .filter(({ name }) => !replaced.has(name))
        .map(({ name, description, category }) => ({ name, description, category })),
      ...executables.map(({ name, description, category, path, entry, shadows }) => ({
        name,
        description,
        category,
        origin: { owner: entry.source.owner, path },
        shadows: [...(names.has(name) ? ["built-in"] : []), ...shadows],
      })),
      ...coreToolList(),
      ...(await mcpTools(mcp.servers())),
    ],
    unused: unused.map(({ name, path, problem }) => ({ name, path, problem })),
  };
}

/** The tools of ready servers. */
async function mcpTools(folder: McpServers): Promise<ListedTool[]> {
  await folder.refresh();
  const tools = new Map(folder.tools().map((tool) => [tool.name, tool]));
  return folder.entries.flatMap(({ view }) =>
    view.tools.flatMap((each): ListedTool[] => {
      const tool = tools.get(folder.nameOf(each) ?? "");
      if (!tool) return [];
      return [{ name: tool.name, description: each.description, category: tool.category, server: view.name }];
    }),
  );
}
