import type { Block } from "@harness/protocol";
import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { titleLine } from "./title-line.ts";
import { errorResult } from "./tool-result.ts";

export const AGENT_CHANGES = "agent_changes";

const actions = ["diff", "apply", "drop"] as const;
type ChangesAction = (typeof actions)[number];

/**
 * A state of a worktree's files that was read, and all paths that it would write in the workspace, absolute. `ended`:
 * what was still running there, in a sentence.
 */
export type SeenChanges = { tree: string; paths: readonly string[]; ended: string };

/** An action on a worktree. Only changes that were read can be applied. */
export type ChangesRequest = { action: Exclude<ChangesAction, "apply"> } | { action: "apply"; seen: SeenChanges };

/** The worktrees of an agent's subagents, as the tool needs them. */
export type ChangesAccess<C> = {
  /** Reads the changes that `apply` would bring, once nothing runs there. */
  look(agentId: string, context: C): Promise<SeenChanges | { problem: string }>;
  blocks(agentId: string, seen: SeenChanges): Promise<Block[]>;
  act(agentId: string, request: ChangesRequest, context: C): Promise<ToolResult>;
};

const args = z.strictObject({ agent: z.string().min(1).describe("Its id"), action: z.enum(actions) });
/** `seen`: what the call is bound to. */
type Args = z.infer<typeof args> & { seen?: SeenChanges };

/** The tool that applies or drops a subagent's changes in its worktree. */
export function agentChangesTool<C extends ToolContext>({ look, blocks, act }: ChangesAccess<C>): Tool {
  return defineTool<Args>({
    name: AGENT_CHANGES,
    description:
      "Show a subagent's worktree changes, apply them to the workspace (three-way merge, all or nothing), or drop them.",
    args,
    category: "signal",
    categoryOf: ({ action }) => (action === "apply" ? "destructive" : "signal"),
    offer: "when-found",
    concurrency: ({ action }) => (action === "apply" ? "alone" : "by-effects"),
    async bind(args, context) {
      if (args.action !== "apply") return { args };
      // Core's own tools are given the context of their call.
      const seen = await look(args.agent, context as C);
      return "problem" in seen ? seen : { args: { ...args, seen } };
    },
    effects: ({ seen }) => (seen?.paths ?? []).map((path) => ({ kind: "write" as const, path })),
    title: ({ agent, action }) => `${AGENT_CHANGES} ${action} ${titleLine(agent)}`,
    preview: async ({ agent, seen }) => (seen ? await blocks(agent, seen) : []),
    async run({ agent, action, seen }, context) {
      if (action !== "apply") return await act(agent, { action }, context as C);
      if (seen) return await act(agent, { action, seen }, context as C);
      const text = "Nothing was applied: the changes were not looked at before.";
      return errorResult(text);
    },
  });
}
