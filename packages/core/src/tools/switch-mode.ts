import { AgentMode, agentModeOf } from "@harness/protocol";
import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";

export const SWITCH_MODE = "switch_mode";

/** Changes the agent mode of the session and describes the outcome to the model. */
type ModeChange<C> = (wanted: { mode: AgentMode; plan?: string | undefined }, context: C) => Promise<ToolResult>;

const args = z.strictObject({
  mode: z.preprocess(withoutAlias, AgentMode),
  plan: z.string().optional().describe("For `agent`: the plan in Markdown, if no message has it."),
});

/** The tool with which a model changes the agent mode. The user is asked before a mode that changes things. */
export function switchMode<C extends ToolContext>(change: ModeChange<C>): Tool {
  return defineTool({
    name: SWITCH_MODE,
    description:
      "Go into another mode: planning, research (both only look), casual, or agent (all tools; the person is asked first).",
    brief: "Go into another mode; for `agent` the person is asked.",
    args,
    rareArgs: ["plan"],
    category: "signal",
    offer: "when-found",
    effects: () => [],
    title: ({ mode }) => `${SWITCH_MODE} ${mode}`,
    run: (wanted, context: C) => change(wanted, context),
  });
}

function withoutAlias(written: unknown): unknown {
  return typeof written === "string" ? (agentModeOf(written) ?? written) : written;
}
