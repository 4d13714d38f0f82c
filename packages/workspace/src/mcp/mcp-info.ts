import { shellWord } from "@harness/host";
import type { McpServerConfig } from "@harness/mcp";
import type { McpServerInfo } from "@harness/protocol";
import type { McpEntry, McpServers } from "./mcp-servers.ts";

/** A server for display. Addresses and commands are shown as written, without the values of variables. */
export function mcpInfo({ found, view }: McpEntry, folder: McpServers): McpServerInfo {
  const { config, shadows } = found;
  const { problem, era, version, instructions } = view;
  return {
    name: view.name,
    state: view.state,
    from: view.from,
    shadows: [...shadows],
    reach: reachOf(config),
    enabled: config.enabled !== false,
    ...(problem === undefined ? {} : { problem }),
    ...(era ? { era } : {}),
    ...(version === undefined ? {} : { version }),
    ...(instructions === undefined ? {} : { instructions }),
    tools: view.tools.map((tool) => {
      const calledAs = folder.nameOf(tool);
      const { readOnlyHint, destructiveHint } = tool.annotations;
      return {
        name: tool.name,
        ...(calledAs === undefined ? {} : { calledAs }),
        description: tool.description,
        ...(readOnlyHint === undefined ? {} : { readOnly: readOnlyHint }),
        ...(destructiveHint === undefined ? {} : { destructive: destructiveHint }),
      };
    }),
    prompts: view.prompts.map(({ name, description, arguments: args }) => ({
      name,
      description,
      arguments: [...args],
    })),
    resources: view.resources.map(({ uri, name, description, mimeType }) => ({
      uri,
      name,
      description,
      ...(mimeType === undefined ? {} : { mimeType }),
    })),
    notes: [...view.notes, ...folder.problemsOf(view)],
  };
}

function reachOf({ command, args = [], url = "" }: McpServerConfig): string {
  return command === undefined ? withoutPassword(url) : [command, ...args].map((word) => shellWord(word)).join(" ");
}

function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?#@:]*):[^/?#@]*@/i, "$1:***@");
}
