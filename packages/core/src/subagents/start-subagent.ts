import * as z from "zod";
import type { CallContext } from "../loop/run-call.ts";
import { defineTool, type Tool, type ToolResult } from "../ports/tool.ts";

export type SubagentOrder = { task: string; context?: string; toolCallId: string };
export type SubagentStart = { subagentId: string } | { rejected: string };

export const START_SUBAGENT = "start_subagent";
const MAX_TITLE = 120;

/** The tool with which an agent starts another. It answers at once; the child's result comes as a message. */
export function startSubagent(start: (order: SubagentOrder) => SubagentStart): Tool {
  return defineTool({
    name: START_SUBAGENT,
    description:
      "Start a subagent on a task of its own and go on at once; its result comes later as a message. It has your tools and sees nothing of this conversation.",
    args: z.strictObject({
      task: z.string().min(1).describe("What to do and what to report, complete in itself."),
      context: z.string().optional().describe("Facts it needs: paths, findings, rules."),
    }),
    category: "signal",
    offer: "roomy",
    effects: () => [],
    title: ({ task }) => `start_subagent ${firstLine(task)}`,
    async run({ task, context }, { toolCallId }: CallContext): Promise<ToolResult> {
      const started = start({ task, toolCallId, ...(context?.trim() ? { context } : {}) });
      if ("rejected" in started) {
        const text = JSON.stringify({ status: "rejected", error: started.rejected });
        return { status: "error", text, blocks: [{ type: "text", text: started.rejected }] };
      }
      const { subagentId } = started;
      const text = JSON.stringify({ subagent_id: subagentId, status: "started" });
      return { status: "ok", text, blocks: [{ type: "text", text: `Started ${subagentId}: ${firstLine(task)}` }] };
    },
  });
}

/** The child's first message. */
export function taskText({ task, context }: Pick<SubagentOrder, "task" | "context">): string {
  return context ? `# Task\n\n${task}\n\n# Context\n\n${context}` : `# Task\n\n${task}`;
}

function firstLine(task: string): string {
  const line = task.trim().split("\n", 1)[0] ?? "";
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE).toWellFormed()}…` : line;
}
