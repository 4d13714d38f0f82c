import * as z from "zod";
import { AgentMode } from "./agent-mode.ts";
import { NamedPermissionMode } from "./permission.ts";

/** The most that an agent may use, including the agents that it starts; what is absent is not limited. */
export const AgentBudget = z.strictObject({
  /** Requests to the model. */
  turns: z.number().int().min(1).max(10_000).optional(),
  /** Tokens of its requests and replies, without those answered from a cache. */
  tokens: z.number().int().min(1).max(1_000_000_000).optional(),
  /** From its start, including waiting. */
  seconds: z.number().int().min(1).max(604_800).optional(),
  usd: z.number().positive().max(100_000).optional(),
});
export type AgentBudget = z.infer<typeof AgentBudget>;

/** A named agent, as described in a Markdown file. */
export const AgentDefinition = z.strictObject({
  name: z.string(),
  /** Tells models what to use it for. */
  description: z.string(),
  /** Replaces the mode's text in the system prompt. */
  prompt: z.string(),
  /** The only tools that it has, by any name that a model may use for them; absent: all. */
  tools: z.array(z.string()).optional(),
  /** Tools that it does not have. */
  disallowedTools: z.array(z.string()).optional(),
  /** `MODEL` or `PROVIDER/MODEL`; absent: the model of the agent that starts it. */
  model: z.string().optional(),
  /** Absent: the session's, which it never exceeds. */
  mode: AgentMode.optional(),
  permissionMode: NamedPermissionMode.optional(),
  budget: AgentBudget.optional(),
  /** It goes on when the turn that started it ends. */
  background: z.boolean().optional(),
  /** It works in a git worktree of its own. */
  worktree: z.boolean().optional(),
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;
