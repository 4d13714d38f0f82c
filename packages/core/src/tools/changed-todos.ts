import type { Todo, TodoStatus } from "@harness/protocol";

const MAX_TODOS = 100;
const MAX_TEXT_CHARS = 500;

/** A task in a call: a new one or, with an id, the changes of an existing one. */
type WantedTodo = { id?: string | undefined; text?: string | undefined; status?: TodoStatus | undefined };

export type ChangedTodos = { todos: Todo[] /** The tasks that are new or different. */; touched: Todo[] };

/**
 * The list after a call, or why the call cannot be applied. `isWhole`: todos that the call does not name are removed.
 */
export function changedTodos(
  before: readonly Todo[],
  wanted: readonly WantedTodo[],
  { isWhole }: { isWhole: boolean },
): ChangedTodos | { problem: string } {
  const todos = isWhole ? [] : [...before];
  const touched: Todo[] = [];
  let next = nextNumber(before);
  for (const each of wanted) {
    const text = oneLine(each.text);
    const known = isWhole ? sameTask(before, todos, each.id, text) : todos.find(({ id }) => id === each.id);
    if (!known && each.id !== undefined && !isWhole) return { problem: unknownText(each.id, before) };
    if (!known && text === undefined) return { problem: "A new task needs a `text`." };
    const status = each.status ?? known?.status ?? "pending";
    const todo: Todo = { id: known?.id ?? `todo_${next}`, text: text ?? known?.text ?? "", status };
    if (!known) next += 1;
    const at = todos.findIndex(({ id }) => id === todo.id);
    if (at < 0) todos.push(todo);
    else todos[at] = todo;
    if (!known || known.text !== todo.text || known.status !== status) touched.push(todo);
  }
  if (todos.length > MAX_TODOS) {
    return { problem: `A list has at most ${MAX_TODOS} tasks; this would make ${todos.length}. Merge some of them.` };
  }
  return { todos, touched };
}

/** A whole list refers to an existing task by its text, or by one of our ids. */
function sameTask(
  before: readonly Todo[],
  taken: readonly Todo[],
  id: string | undefined,
  text: string | undefined,
): Todo | undefined {
  const free = before.filter((each) => !taken.some((other) => other.id === each.id));
  return free.find((each) => each.text === text) ?? free.find((each) => each.id === id);
}

/** Ids are not reused as long as their list lives, so that none is taken for another. */
function nextNumber(todos: readonly Todo[]): number {
  return Math.max(0, ...todos.map(({ id }) => Number(id.slice("todo_".length)) || 0)) + 1;
}

function oneLine(text: string | undefined): string | undefined {
  const line = text?.replace(/\s+/g, " ").trim();
  if (line === undefined || line === "") return undefined;
  return line.length > MAX_TEXT_CHARS ? `${line.slice(0, MAX_TEXT_CHARS).toWellFormed()}…` : line;
}

function unknownText(id: string, todos: readonly Todo[]): string {
  const ids = todos.map((each) => each.id).join(", ");
  const known = ids === "" ? "There are no tasks yet: leave the id out to add one." : `The tasks are: ${ids}.`;
  return `There is no task \`${id.slice(0, 50)}\`. ${known}`;
}
