import { resultLimitChars } from "../context/tokens/usable-tokens.ts";
import type { SkillSource } from "../ports/skills.ts";
import type { Tool, ToolAlias, ToolResult } from "../ports/tool.ts";
import { AGENT, agent } from "../tools/agent.ts";
import { AGENT_CHANGES, agentChangesTool, type ChangesAccess } from "../tools/agent-changes.ts";
import { AUTO_COMPACT, autoCompact } from "../tools/auto-compact.ts";
import { modeForms } from "../tools/forms/mode-forms.ts";
import { questionForms } from "../tools/forms/question-forms.ts";
import { subagentForms } from "../tools/forms/subagent-forms.ts";
import { todoForms } from "../tools/forms/todo-forms.ts";
import { LIST_AGENTS, listAgents } from "../tools/list-agents.ts";
import { QUESTION, questionTool } from "../tools/question.ts";
import { RECALL, type RecallQuery, recall, recallAny } from "../tools/recall.ts";
import { type AgentMessage, SEND_MESSAGE, sendMessageTool } from "../tools/send-message.ts";
import { SKILL, skill, skillForms } from "../tools/skill.ts";
import { START_SUBAGENT, type SubagentStarter, startSubagentTool } from "../tools/start-subagent.ts";
import { STOP_AGENT, stopAgentTool } from "../tools/stop-agent.ts";
import { SWITCH_MODE, switchMode } from "../tools/switch-mode.ts";
import { TODO, type TodoList, todo } from "../tools/todo.ts";
import { TOOL_SEARCH, toolSearch } from "../tools/tool-search.ts";
import type { CallContext } from "./calls/run-call.ts";
import { askForCompaction } from "./compaction/ask-for-compaction.ts";
import { changeMode } from "./questions/change-mode.ts";
import { putQuestions } from "./questions/put-question.ts";
import { type OtherSessions, recallOthers } from "./recall/other-sessions.ts";
import { recallPast } from "./recall/recall-past.ts";
import type { Turn } from "./turn/turn.ts";

/** Names of the tools that every session has, whatever its table of tools. */
export const coreToolNames: readonly string[] = [
  START_SUBAGENT,
  AGENT,
  AGENT_CHANGES,
  SEND_MESSAGE,
  LIST_AGENTS,
  STOP_AGENT,
  QUESTION,
  SWITCH_MODE,
  TODO,
  AUTO_COMPACT,
  RECALL,
  SKILL,
  TOOL_SEARCH,
];

/** Names that other programs have for these tools. */
export const coreAliases: readonly ToolAlias[] = [
  ...todoForms,
  ...subagentForms,
  ...skillForms,
  ...questionForms,
  ...modeForms,
];

/** Operations of tools on other agents of the session. */
export type AgentControl = SubagentStarter<CallContext> & {
  send(order: AgentMessage, context: CallContext): Promise<ToolResult>;
  list(context: CallContext): string;
  stop(agent: string, context: CallContext): ToolResult;
  /** Undefined if there are no worktrees. */
  changes: ChangesAccess<CallContext> | undefined;
};

/**
 * The tools with which an agent controls the session: starts other agents and writes to them, asks the user, changes
 * the mode, keeps its task list. `others`: undefined if agents may not look into other sessions.
 */
export function coreTools(agents: AgentControl, others?: OtherSessions): Tool[] {
  return [
    startSubagentTool(agents),
    agent(agents),
    sendMessageTool(agents.send),
    ...(agents.changes ? [agentChangesTool(agents.changes)] : []),
    questionTool((questions, { caller: { turn }, signal }: CallContext) => putQuestions(turn, questions, signal)),
    switchMode((change, { caller: { turn }, signal }: CallContext) => changeMode(turn, change, signal)),
    todo(({ caller: { turn } }: CallContext) => todosOf(turn)),
    autoCompact((focus, { caller: { turn } }: CallContext) => askForCompaction(turn, focus)),
    recallTool(others),
    listAgents(agents.list),
    stopAgentTool(agents.stop),
  ];
}

function recallTool(others: OtherSessions | undefined): Tool {
  const maxCharsOf = ({ choice }: Turn) => resultLimitChars(choice?.contextWindow.tokens ?? Number.MAX_SAFE_INTEGER);
  const findOwn = (order: RecallQuery, { caller: { turn }, agentId }: CallContext) =>
    recallPast({ log: turn.scope.ports.log, agentId, maxChars: maxCharsOf(turn) }, order);
  if (!others) return recall(findOwn);
  return recallAny({
    findOwn,
    findElsewhere: (order, { caller: { turn } }: CallContext) => recallOthers(others, order, maxCharsOf(turn)),
    isOffered: others.permission() === "on",
    effects: () => (others.permission() === "on" ? [] : [{ kind: "read", path: others.stored.folder }]),
  });
}

/** The tool that loads skills, for sessions that have some. */
export function skillTool(skills: SkillSource): Tool {
  return skill(skills, (loaded, { caller: { turn } }: CallContext) => {
    turn.record({ sessionUpdate: "skill_update", skill: loaded, state: "active", by: "model" });
  });
}

/** These tools for lists; they cannot be called. */
export function coreToolList(): readonly Pick<Tool, "name" | "description" | "category">[] {
  const refuse = () => {
    throw new Error("A tool that is only listed was called.");
  };
  const changes = { look: refuse, blocks: refuse, act: refuse };
  const agents = { start: refuse, agents: () => [], send: refuse, list: refuse, stop: refuse, changes };
  return [
    ...coreTools(agents),
    skillTool({ list: () => [], load: refuse }),
    toolSearch({ hidden: [], offer: refuse }),
  ].map(({ name, description, category }) => ({ name, description, category }));
}

function todosOf(turn: Turn): TodoList {
  return {
    todos: () => turn.scope.journal.state.agents.get(turn.agent.agentId)?.todos ?? [],
    replace: (todos) => turn.record({ sessionUpdate: "todo_update", todos: [...todos] }),
  };
}
