import type { Todo } from "../vocabulary/todo.ts";
import { hideVersions, type ListVersions, newest, showVersions } from "./list-versions.ts";

/** The task lists of an agent over time. */
export type TodoLists = ListVersions<Todo>;

export type Todos = { todos: readonly Todo[]; todoLists: TodoLists };

export function setTodos(agent: Todos, seq: number, todos: readonly Todo[]): void {
  agent.todoLists.push({ seq, list: todos });
  agent.todos = todos;
}

/** Removes the lists from this fact on, and returns them. */
export function hideTodos(agent: Todos, fromSeq: number): TodoLists {
  const { kept, hidden } = hideVersions(agent.todoLists, fromSeq);
  agent.todoLists = kept;
  agent.todos = newest(kept);
  return hidden;
}

/** Restores lists that were hidden. */
export function showTodos(agent: Todos, lists: TodoLists): void {
  agent.todoLists = showVersions(agent.todoLists, lists);
  agent.todos = newest(agent.todoLists);
}
