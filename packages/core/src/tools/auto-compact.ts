import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";

export const AUTO_COMPACT = "auto_compact";

const args = z.strictObject({ focus: z.string().optional().describe("What the summary must keep") });

/**
 * The tool with which a model requests a compaction at a moment that suits its work. `ask` returns why it is refused,
 * if it is.
 */
export function autoCompact<C extends ToolContext>(
  ask: (focus: string | undefined, context: C) => { refused: string } | undefined,
): Tool {
  return defineTool({
    name: AUTO_COMPACT,
    description:
      "Summarises the older messages of this conversation before your next reply, to make room in the context window.",
    args,
    category: "signal",
    offer: "when-found",
    effects: () => [],
    title: ({ focus }) => [AUTO_COMPACT, ...(focus ? [focus.slice(0, 80)] : [])].join(" "),
    async run({ focus }, context: C): Promise<ToolResult> {
      const refused = ask(focus, context)?.refused;
      const text = refused ?? "The older messages will be summarised before your next reply.";
      return { status: refused === undefined ? "ok" : "error", text, blocks: [{ type: "text", text }] };
    },
  });
}
