import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { titleLine } from "./title-line.ts";

/** `background`: it goes on when the turn ends. */
export type SubagentTask = { task: string; context?: string; background?: boolean };
export type SubagentStart = { subagentId: string } | { rejected: string };

export const START_SUBAGENT = "start_subagent";

/** The tool with which an agent starts another. It returns at once; the child's result arrives as a message. */
export function startSubagent<C extends ToolContext>(start: (order: SubagentTask, context: C) => SubagentStart): Tool {
  return defineTool({
    name: START_SUBAGENT,
    description:
      "Start a subagent on a task of its own and go on at once; its result comes later as a message. It has your tools and sees nothing of this conversation.",
    args: z.strictObject({
      task: z.string().min(1).describe("What to do and what to report, complete in itself."),
      context: z.string().optional().describe("Facts it needs: paths, findings, rules."),
      background: z.boolean().optional(),
    }),
    category: "signal",
    offer: "if-room",
    rareArgs: ["background"],
    effects: () => [],
    concurrency: () => "beside-its-kind",
    title: ({ task }) => `start_subagent ${titleLine(task)}`,
    async run({ task, context, background = false }, call: C): Promise<ToolResult> {
      const started = start({ task, ...(context?.trim() ? { context } : {}), background }, call);
      if ("rejected" in started) {
        const text = JSON.stringify({ status: "rejected", error: started.rejected });
        return { status: "error", text, blocks: [{ type: "text", text: started.rejected }] };
      }
      const { subagentId } = started;
      const text = JSON.stringify({ subagent_id: subagentId, status: "started" });
      return { status: "ok", text, blocks: [{ type: "text", text: `Started ${subagentId}: ${titleLine(task)}` }] };
    },
  });
}

/** The child's first message. */
export function taskText({ task, context }: SubagentTask): string {
  return context ? `# Task\n\n${task}\n\n# Context\n\n${context}` : `# Task\n\n${task}`;
}
