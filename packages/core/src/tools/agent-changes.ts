import type { Block } from "@harness/protocol";
import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { titleLine } from "./title-line.ts";

export const AGENT_CHANGES = "agent_changes";

const actions = ["diff", "apply", "drop"] as const;
export type ChangesAction = (typeof actions)[number];

/** The worktrees of an agent's subagents, as the tool needs them. */
export type ChangesAccess<C> = {
  /** The files that would be written, absolute. */
  paths(agentId: string): readonly string[];
  blocks(agentId: string): Promise<Block[]>;
  act(agentId: string, action: ChangesAction, context: C): Promise<ToolResult>;
};

const args = z.strictObject({ agent: z.string().min(1).describe("Its id"), action: z.enum(actions) });

/** The tool with which an agent applies or drops what a subagent has changed in its worktree. */
export function agentChanges<C extends ToolContext>({ paths, blocks, act }: ChangesAccess<C>): Tool {
  return defineTool({
    name: AGENT_CHANGES,
    description:
      "Show a subagent's worktree changes, apply them to the workspace (three-way merge, all or nothing), or drop them.",
    args,
    category: "signal",
    categoryOf: ({ action }) => (action === "apply" ? "destructive" : "signal"),
    offer: "when-found",
    effects: ({ agent, action }) =>
      action === "apply" ? paths(agent).map((path) => ({ kind: "write" as const, path })) : [],
    title: ({ agent, action }) => `${AGENT_CHANGES} ${action} ${titleLine(agent)}`,
    preview: async ({ agent, action }) => (action === "apply" ? await blocks(agent) : []),
    run: ({ agent, action }, context: C) => act(agent, action, context),
  });
}
