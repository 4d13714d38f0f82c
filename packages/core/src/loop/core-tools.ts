import type { Tool, ToolAlias } from "../ports/tool.ts";
import { QUESTION, question } from "../tools/question.ts";
import { START_SUBAGENT, type SubagentStart, type SubagentTask, startSubagent } from "../tools/start-subagent.ts";
import { SWITCH_MODE, switchMode } from "../tools/switch-mode.ts";
import { TODO, type TodoList, todo } from "../tools/todo.ts";
import { todoForms } from "../tools/todo-forms.ts";
import { TOOL_SEARCH } from "../tools/tool-search.ts";
import type { CallContext } from "./calls/run-call.ts";
import { changeMode } from "./questions/change-mode.ts";
import { putQuestion } from "./questions/put-question.ts";
import type { Turn } from "./turn/turn.ts";

/** Names of the tools that every session has, whatever its table of tools. */
export const coreToolNames: readonly string[] = [START_SUBAGENT, QUESTION, SWITCH_MODE, TODO, TOOL_SEARCH];

/** Names that other programs have for these tools. */
export const coreAliases: readonly ToolAlias[] = todoForms;

/**
 * The tools with which an agent controls the session: starts another agent, asks the person, changes the mode, keeps its
 * list of tasks.
 */
export function coreTools(start: (order: SubagentTask, context: CallContext) => SubagentStart): Tool[] {
  return [
    startSubagent(start),
    question((order, { turn, signal }: CallContext) => putQuestion(turn, order, signal)),
    switchMode((mode, { turn, signal }: CallContext) => changeMode(turn, mode, signal)),
    todo(({ turn }: CallContext) => todosOf(turn)),
  ];
}

function todosOf(turn: Turn): TodoList {
  return {
    todos: () => turn.scope.journal.state.agents.get(turn.agent.agentId)?.todos ?? [],
    replace: (todos) => turn.record({ sessionUpdate: "todo_update", todos: [...todos] }),
  };
}
