import type { Todo } from "../vocabulary/todo.ts";

/** The lists of tasks that an agent has had, by the fact that holds each, oldest first. */
export type TodoLists = { seq: number; todos: readonly Todo[] }[];

export type Todos = { todos: readonly Todo[]; todoLists: TodoLists };

export function setTodos(agent: Todos, seq: number, todos: readonly Todo[]): void {
  agent.todoLists.push({ seq, todos });
  agent.todos = todos;
}

/** Takes back the lists from this fact on, and returns them: the agent does not know of them any more. */
export function hideTodos(agent: Todos, fromSeq: number): TodoLists {
  const hidden = agent.todoLists.filter(({ seq }) => seq >= fromSeq);
  agent.todoLists = agent.todoLists.filter(({ seq }) => seq < fromSeq);
  agent.todos = agent.todoLists.at(-1)?.todos ?? [];
  return hidden;
}

/** Brings back lists that were hidden. */
export function showTodos(agent: Todos, lists: TodoLists): void {
  agent.todoLists = [...agent.todoLists, ...lists].sort((a, b) => a.seq - b.seq);
  agent.todos = agent.todoLists.at(-1)?.todos ?? [];
}
