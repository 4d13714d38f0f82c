import type { ToolAlias } from "../../ports/tool.ts";
import { type Input, renamed } from "../argument-names.ts";

const keys = {
  task: ["prompt", "instructions", "message"],
  agent: ["subagent_type", "subagentType", "agent_type", "agent_name", "name"],
};

/** Words that other programs use for an agent without a definition. */
const UNNAMED: ReadonlySet<unknown> = new Set(["general-purpose", "general", "default", "worker"]);

const AWAITED = "agent run_agent delegate_task dispatch_agent";
const STARTED = "start_subagent spawn_agent";

/** How other agents start subagents, among them `Task` of Claude Code. */
export const subagentForms: readonly ToolAlias[] = [
  ...AWAITED.split(" ").map((name): ToolAlias => ({ name, tool: "agent", toolFor: toolOfTask, convert: order })),
  ...STARTED.split(" ").map((name): ToolAlias => ({ name, tool: "start_subagent", convert: order })),
  { name: "Task", tool: "agent", toolFor: toolOfTask, convert: taskOrder },
];

/** The caller does not wait for a task in the background. */
function toolOfTask({ run_in_background: isBackground }: Input): string {
  return isBackground === true ? "start_subagent" : "agent";
}

/** The description is for people: the prompt has everything. */
function taskOrder(input: Input): Input {
  const { description, ...rest } = order(input);
  const task = rest.task ?? description;
  return { ...rest, ...(task === undefined ? {} : { task }) };
}

/** `run_in_background: false` only says that the caller waits, which the tool itself says. */
function order(input: Input): Input {
  const { run_in_background: isBackground, ...given } = input;
  const { agent, provider, model, ...rest } = renamed(given, keys);
  const isNamed = agent !== undefined && !UNNAMED.has(agent);
  const named = model === undefined || model === "inherit" ? {} : { model };
  const placed = typeof provider === "string" && typeof model === "string" ? { model: `${provider}/${model}` } : named;
  const going = isBackground === true ? { background: true } : {};
  return { ...rest, ...(isNamed ? { agent } : {}), ...placed, ...going };
}
