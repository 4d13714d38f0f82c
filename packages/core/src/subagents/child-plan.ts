import type { AgentDefinition, SessionConfig } from "@harness/protocol";
import { ModelSelector } from "../journal/model-selector.ts";
import { derivedTools } from "../loop/toolbox/derived-tools.ts";
import { selectTools } from "../loop/toolbox/tool-selection.ts";
import type { AgentDeps } from "../loop/turn/agent.ts";
import { roleUnder } from "../loop/turn/agent-role.ts";
import { BudgetMeter, lessOf } from "../loop/turn/budget-meter.ts";
import type { Turn } from "../loop/turn/turn.ts";
import type { SubagentTask } from "../tools/subagent-order.ts";

/** A child's equipment, from its definition, the order, and the agent that starts it. */
export type ChildPlan = Pick<AgentDeps, "role" | "models" | "budget" | "tools"> & {
  background: boolean;
  worktree: boolean;
};

type NamedDefinition = Partial<AgentDefinition>;

/** Plans a child, or says why it cannot start. Asks only about a model that the order or the definition names. */
export async function planChild(turn: Turn, order: SubagentTask): Promise<ChildPlan | { rejected: string }> {
  const { agent: parent, scope } = turn;
  const found = order.agent === undefined ? {} : definitionOf(scope.ports.requests.agents(), order.agent);
  if ("rejected" in found) return found;
  const { name, prompt, mode, permissionMode, tools: only, disallowedTools: without, budget } = found;
  const named = await modelFor(turn, order.model ?? found.model);
  if ("rejected" in named) return named;
  const role = roleUnder(parent.role, { name, prompt, mode, permissionMode });
  const least = lessOf({ ...scope.settings.values.agentLimits.budget, ...budget }, order.budget);
  return {
    role,
    models: named.models ?? parent.models,
    budget: new BudgetMeter(least, { meter: parent.budget, agentId: parent.agentId }),
    tools: derivedTools(parent.tools, (table) => selectTools(table, { only, without })),
    background: order.background ?? found.background ?? false,
    // An agent that works in a worktree itself shares it.
    worktree: order.worktree ?? (found.worktree === true && !parent.place),
  };
}

function definitionOf(agents: readonly AgentDefinition[], name: string): NamedDefinition | { rejected: string } {
  const wanted = name.toLowerCase();
  const found = agents.find((each) => each.name.toLowerCase() === wanted);
  if (found) return found;
  const names = agents.map((each) => each.name);
  const have = names.length === 0 ? "There are no named agents here" : `The agents are: ${names.join(", ")}`;
  return {
    rejected: `There is no agent ${JSON.stringify(name.slice(0, 80))}. ${have}. Leave \`agent\` out for one like yourself.`,
  };
}

/** The model named as `MODEL` or `PROVIDER/MODEL`; without a provider, the requesting agent's. */
async function modelFor(
  turn: Turn,
  name: string | undefined,
): Promise<{ models?: ModelSelector } | { rejected: string }> {
  if (name === undefined) return {};
  const { scope, choice } = turn;
  const here: SessionConfig = { ...(choice ? { provider: choice.provider.id } : {}), model: name };
  const anywhere: SessionConfig = { provider: "", model: name };
  let problem = "";
  for (const config of name.includes("/") ? [anywhere, here] : [here, anywhere]) {
    const models = new ModelSelector(
      (config) => scope.ports.requests.chooseModel(config),
      () => ({ ...scope.journal.state.config, ...config }),
    );
    const chosen = await models.choose({ fresh: true });
    // A child that is reported as started must not fail with its first request.
    const why = "problem" in chosen ? chosen.problem : chosen.away;
    if (why === undefined) return { models };
    problem ||= why;
    if (!("problem" in chosen) || chosen.ofNamedProvider) break;
  }
  return { rejected: `The model ${JSON.stringify(name.slice(0, 120))} cannot be used: ${problem}` };
}
