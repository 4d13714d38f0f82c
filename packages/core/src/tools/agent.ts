import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { rejection, type SubagentStarter } from "./start-subagent.ts";
import { orderArgs, orderOf, rareOrderArgs } from "./subagent-order.ts";
import { titleLine } from "./title-line.ts";

export const AGENT = "agent";

const taskArgs = z.strictObject(orderArgs);

/** A tool: has a subagent do a task, and waits for its result. */
export function agent<C extends ToolContext>({ start }: Pick<SubagentStarter<C>, "start">): Tool {
  return defineTool({
    name: AGENT,
    description: "Start a subagent as start_subagent does, and wait for its result.",
    args: taskArgs,
    category: "signal",
    offer: "when-found",
    rareArgs: rareOrderArgs,
    effects: () => [],
    concurrency: () => "beside-its-kind",
    title: ({ task, agent: name }) => `agent ${name ? `${titleLine(name)}: ` : ""}${titleLine(task)}`,
    async run(args, call: C): Promise<ToolResult> {
      const started = await start({ ...orderOf(args), isAwaited: true }, call);
      if ("rejected" in started) return rejection(started.rejected);
      const { run, text } = await started.ended;
      return { status: run === "completed" ? "ok" : "error", text, blocks: [{ type: "markdown", text }] };
    },
  });
}
