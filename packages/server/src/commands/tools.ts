import type { ListedTool } from "@harness/protocol";
import { listTools } from "./list-tools.ts";
import type { ServerCommand } from "./server-command.ts";

export const toolsCommand: ServerCommand = {
  description: "List the tools of the agent, and whose they are.",
  needsSession: false,
  async run({ workspace }) {
    const { tools, unused } = await listTools(workspace);
    return [...tools.map(line), ...unused.map(({ problem }) => problem)].join("\n");
  },
};

function line({ name, description, origin, server }: ListedTool): string {
  const from = server === undefined ? origin && (origin.owner === "person" ? "yours" : "project") : `MCP ${server}`;
  return `${name}${from === undefined ? "" : ` (${from})`}: ${description.split("\n", 1)[0] ?? ""}`;
}
