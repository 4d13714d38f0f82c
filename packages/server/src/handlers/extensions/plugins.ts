import { join, resolve } from "node:path";
import { coreToolList } from "@harness/core";
import { testPlugin, writePlugin } from "@harness/extensions";
import { realPathOrSame } from "@harness/host";
import { type Handlers, type ListedTool, protocolError, type ServerMethods } from "@harness/protocol";
import type { HandlerHost } from "../../handler-host.ts";
import type { McpFolder } from "../../mcp/mcp-folder.ts";
import { requireDirectory } from "../../workspace/require-directory.ts";

type Names = "tools/list" | "plugin/new" | "plugin/test";

export function pluginHandlers({
  identity,
  extensions,
  safety: { trust },
}: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  const { programs, tools, ownFolder, mcp } = extensions;
  return {
    async "tools/list"({ cwd = identity.cwd }) {
      await requireDirectory(cwd);
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
    },
    async "plugin/new"({ cwd = identity.cwd, kind, name, lang, owner, stage }) {
      await requireDirectory(cwd);
      const folder = owner === "person" ? ownFolder : join(cwd, ".harness");
      if (owner === "project" && !realPathOrSame(folder).startsWith(join(realPathOrSame(cwd), "/")))
        throw invalid("owner", `${folder} points outside ${cwd}: nothing was written.`);
      const before = owner === "project" ? await trust.view(cwd) : undefined;
      const written = writePlugin({ kind, name, language: lang, stage, folder });
      if ("problem" in written && written.kind === "failed") throw protocolError("storage_failed", written.problem);
      if ("problem" in written) throw invalid("name", written.problem);
      if (before) await trust.extend(cwd, before, written.path);
      extensions.sources.forgetMoment();
      return written;
    },
    async "plugin/test"({ cwd = identity.cwd, path, kind, input }, { signal }) {
      await requireDirectory(cwd);
      const file = resolve(cwd, path);
      // The person has named the program, and runs it; keys are for what they trust.
      const isTheirs = trust.isUntrusted(cwd, file);
      const verdict = await testPlugin({
        path: file,
        ...(kind ? { kind } : {}),
        ...(input ? { input } : {}),
        env: (declared) => programs.environment(cwd, { toolTimeoutMs: 10_000 }, isTheirs ? [] : declared),
        signal,
      });
      if ("problem" in verdict) throw invalid("path", verdict.problem);
      return { path: file, ...verdict };
    },
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

function invalid(path: string, message: string) {
  return protocolError("invalid_params", message, { issues: [{ path, message }] });
}
