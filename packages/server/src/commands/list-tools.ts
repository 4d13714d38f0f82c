import { coreToolList } from "@harness/core";
import type { ListedTool, Result, ServerMethods } from "@harness/protocol";
import type { McpFolder } from "@harness/workspace";
import type { HandlerHost } from "../handler-host.ts";

/** All tools that sessions of a folder have, and files that are none. */
export async function listTools(
  { extensions: { programs, tools, mcp } }: Pick<HandlerHost, "extensions">,
  cwd: string,
): Promise<Result<ServerMethods, "tools/list">> {
  await programs.executables.prepare(cwd);
  const { tools: executables, unused } = programs.executables.at(cwd);
  const replaced = new Set(executables.map(({ name }) => name));
  const builtin = tools.builtin(cwd);
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
      ...(await mcpTools(mcp.at(cwd))),
    ],
    unused: unused.map(({ name, path, problem }) => ({ name, path, problem })),
  };
}

/** Those of the servers that are ready. */
async function mcpTools(folder: McpFolder): Promise<ListedTool[]> {
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
