import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";

export const RECALL = "recall";

const args = z.strictObject({
  query: z.string().optional().describe("Words to search for"),
  seq: z.int().min(1).optional().describe("Shows this in full"),
  part: z.int().min(1).optional(),
  all_agents: z.boolean().optional(),
});
/** A search, or the number of the entry to show. */
export type RecallQuery = z.infer<typeof args>;

/** The tool with which an agent finds what has left its context: the log still has it. */
export function recall<C extends ToolContext>(find: (query: RecallQuery, context: C) => ToolResult): Tool {
  return defineTool({
    name: RECALL,
    description: "Finds earlier messages and results of this session that you no longer see.",
    rareArgs: ["all_agents"],
    args,
    category: "readOnly",
    offer: "after-compaction",
    effects: () => [],
    title: ({ query, seq }) => (seq === undefined ? `${RECALL} ${(query ?? "").slice(0, 80)}` : `${RECALL} #${seq}`),
    run: async (order, context: C) => find(order, context),
  });
}
