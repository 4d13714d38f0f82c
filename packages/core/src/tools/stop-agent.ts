import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { titleLine } from "./title-line.ts";

export const STOP_AGENT = "stop_agent";

const args = z.strictObject({ agent: z.string().trim().min(1).describe("Its id or name.") });

/** The tool with which an agent stops one of its subagents. */
export function stopAgentTool<C extends ToolContext>(stop: (agent: string, context: C) => ToolResult): Tool {
  return defineTool({
    name: STOP_AGENT,
    description: "Stops a subagent that you started, with its own subagents.",
    args,
    category: "signal",
    offer: "when-found",
    effects: () => [],
    title: ({ agent }) => `${STOP_AGENT} ${titleLine(agent)}`,
    run: async ({ agent }, context: C) => stop(agent, context),
  });
}
