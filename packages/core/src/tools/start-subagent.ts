import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import {
  agentCatalogue,
  type NamedAgent,
  orderArgs,
  orderOf,
  rareOrderArgs,
  type SubagentStart,
  type SubagentTask,
} from "./subagent-order.ts";
import { titleLine } from "./title-line.ts";
import { errorResult } from "./tool-result.ts";

export const START_SUBAGENT = "start_subagent";

/** Starts a subagent; `agents`: the named ones. */
export type SubagentStarter<C extends ToolContext> = {
  start(order: SubagentTask, context: C): Promise<SubagentStart>;
  agents(): readonly NamedAgent[];
};

const args = z.strictObject({ ...orderArgs, background: z.boolean().optional() });

/**
 * A tool: starts a subagent and returns at once; the child's result arrives as a message. The subagents of one reply
 * start in its order, so that `agent-1` is the first.
 */
export function startSubagentTool<C extends ToolContext>({ start, agents }: SubagentStarter<C>): Tool {
  return defineTool({
    name: START_SUBAGENT,
    description:
      "Starts a subagent for work beside yours; its result comes as a message. It has your tools and sees nothing of this conversation.",
    details:
      "Put everything it needs into the task: paths, what is known, what to report. Do what takes only a few calls yourself.",
    changing: (isBrief) => agentCatalogue(agents(), { isBrief }),
    args,
    category: "signal",
    offer: "if-room",
    rareArgs: [...rareOrderArgs, "background"],
    effects: () => [],
    title: ({ task, agent }) => `start_subagent ${agent ? `${titleLine(agent)}: ` : ""}${titleLine(task)}`,
    async run({ background, ...order }, call: C): Promise<ToolResult> {
      const started = await start({ ...orderOf(order), background }, call);
      if ("rejected" in started) return rejection(started.rejected);
      const { subagentId } = started;
      const text = JSON.stringify({ subagent_id: subagentId, status: "started" });
      return {
        status: "ok",
        text,
        blocks: [{ type: "text", text: `Started ${subagentId}: ${titleLine(order.task)}` }],
      };
    },
  });
}

/** The result if no subagent was started. */
export function rejection(error: string): ToolResult {
  return errorResult(JSON.stringify({ status: "rejected", error }), error);
}
