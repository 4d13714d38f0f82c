import { AgentBudget, type AgentDefinition, type AgentRun } from "@harness/protocol";
import * as z from "zod";

/** A task for a subagent, as ordered by a model. */
export type SubagentTask = {
  task: string;
  context?: string | undefined;
  /** A named agent. */
  agent?: string | undefined;
  model?: string | undefined;
  budget?: AgentBudget | undefined;
  /** It goes on when the turn ends. */
  background?: boolean | undefined;
  /** It works apart, in a git worktree of its own. */
  worktree?: boolean | undefined;
  /** The call that starts it waits for its result, which goes nowhere else. */
  isAwaited?: boolean | undefined;
};

/** The end of a subagent, as reported to its parent. */
export type SubagentEnd = { run: AgentRun; text: string };
export type SubagentStart = { subagentId: string; ended: Promise<SubagentEnd> } | { rejected: string };

/** A named agent as models see it. */
export type NamedAgent = Pick<AgentDefinition, "name" | "description">;

const MAX_CATALOGUE_CHARS = 2_000;

function isLimit([name, value]: [string, number]): boolean {
  return Object.hasOwn(AgentBudget.shape, name) && value > 0;
}

/** The arguments of every tool that starts a subagent. Limits are rounded up if only whole numbers count. */
export const orderArgs = {
  task: z.string().min(1).describe("Self-contained: what to do, what to report."),
  context: z.string().optional().describe("Paths, findings, rules."),
  agent: z.string().optional(),
  model: z.string().optional(),
  budget: z
    .record(z.string(), z.number())
    .refine((limits) => Object.entries(limits).every(isLimit), "turns, tokens, seconds and usd, each above 0")
    .describe("turns, tokens, seconds, usd")
    .optional(),
  worktree: z.boolean().optional(),
};
export const rareOrderArgs = ["model", "budget", "worktree"];

type OrderArgs = z.infer<z.ZodObject<typeof orderArgs>>;

export function orderOf({ task, context, agent, model, budget, worktree }: OrderArgs): SubagentTask {
  return {
    task,
    ...(context?.trim() ? { context } : {}),
    ...(agent?.trim() ? { agent: agent.trim() } : {}),
    ...(model?.trim() ? { model: model.trim() } : {}),
    ...(budget ? { budget: wholeLimits(budget) } : {}),
    ...(worktree === undefined ? {} : { worktree }),
  };
}

function wholeLimits(budget: NonNullable<OrderArgs["budget"]>): AgentBudget {
  const whole = Object.entries(budget).map(([key, value]) => [key, key === "usd" ? value : Math.ceil(value)]);
  const read = AgentBudget.safeParse(Object.fromEntries(whole));
  // A number above the maximum of any budget is not a limit.
  return read.success ? read.data : {};
}

/** The child's first message, which people read as well. */
export function taskText({ task, context }: SubagentTask): string {
  return context ? `${task}\n\nContext:\n${context}` : task;
}

/** The list of named agents for models; empty if there are none. Only names if room is short. */
export function agentCatalogue(agents: readonly NamedAgent[], { isBrief }: { isBrief: boolean }): string {
  if (agents.length === 0) return "";
  const cut = (most: number) =>
    agents.map(({ name, description }) => `${name}: ${firstChars(description, most)}`).join("\n");
  const names = agents.map(({ name }) => name).join(", ");
  const lists = isBrief ? [] : [cut(200), cut(60)];
  const fitting = lists.find((list) => list.length <= MAX_CATALOGUE_CHARS);
  return fitting === undefined ? ` \`agent\` is one of: ${names}.` : ` \`agent\` is one of:\n${fitting}`;
}

function firstChars(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
