import * as z from "zod";
import { defineTool, type Tool, type ToolContext } from "../ports/tool.ts";

export const LIST_AGENTS = "list_agents";

const args = z.strictObject({});

/** The tool that lists the agents of the session for an agent. */
export function listAgents<C extends ToolContext>(list: (context: C) => string): Tool {
  return defineTool({
    name: LIST_AGENTS,
    description: "Lists the agents of this session: id, state, task, what each does.",
    args,
    category: "signal",
    offer: "when-found",
    effects: () => [],
    title: () => LIST_AGENTS,
    async run(_none, context: C) {
      const text = list(context);
      return { status: "ok", text, blocks: [{ type: "text", text }] };
    },
  });
}
