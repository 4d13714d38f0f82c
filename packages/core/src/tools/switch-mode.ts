import { AgentMode, agentModeOf } from "@harness/protocol";
import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";

export const SWITCH_MODE = "switch_mode";

/** Puts the session into a mode, and answers the model what came of it. */
type ModeChange<C> = (wanted: AgentMode, context: C) => Promise<ToolResult>;

/** The tool with which a model goes into another mode. Where it would then change things, the person is asked first. */
export function switchMode<C extends ToolContext>(change: ModeChange<C>): Tool {
  return defineTool({
    name: SWITCH_MODE,
    description:
      "Go into another mode: planning, research (both only look), casual, or agent (all tools; the person is asked first).",
    brief: "Go into another mode; for `agent` the person is asked.",
    args: z.strictObject({ mode: z.preprocess(withoutAlias, AgentMode) }),
    category: "signal",
    offer: "if-room",
    effects: () => [],
    title: ({ mode }) => `${SWITCH_MODE} ${mode}`,
    run: ({ mode }, context: C) => change(mode, context),
  });
}

function withoutAlias(written: unknown): unknown {
  return typeof written === "string" ? (agentModeOf(written) ?? written) : written;
}
