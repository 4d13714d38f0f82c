import type { Todo } from "@harness/protocol";
import { shownPath } from "./shown-path.ts";

const MAX_OPEN_TODOS = 8;
const MAX_LINE = 200;

/** The state of an agent's work. Paths are absolute. */
export type WorkState = {
  /** The last task from the user or the parent agent; undefined: the model has it in view. */
  task: string | undefined;
  todos: readonly Todo[];
  /** The most recently used files and the latest changes. */
  files: readonly string[];
  changes: readonly { path: string; isRemoved: boolean }[];
};

/**
 * Reminds a model of its work after many messages. Sorted, so that the text stays the same while the same files are in
 * use.
 */
export function workingContext({ task, todos, files, changes }: WorkState, cwd: string): string {
  const changed = changes.map(({ path, isRemoved }) => shownPath(path, cwd) + (isRemoved ? " (removed)" : ""));
  const lines = [
    task === undefined ? "" : `The latest request: ${firstLine(task)}`,
    ...todoLines(todos),
    nameLine(
      "Files in use",
      files.map((path) => shownPath(path, cwd)),
    ),
    nameLine("Last changed", changed),
  ].filter((line) => line !== "");
  return `[A note from harness, not from the person: the state of your work.\n${lines.join("\n")}]`;
}

function nameLine(what: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${what}: ${names.toSorted().join(", ")}`;
}

function todoLines(todos: readonly Todo[]): string[] {
  const open = todos.filter(({ status }) => status !== "completed");
  if (open.length === 0) return [];
  const shown = open.slice(0, MAX_OPEN_TODOS).map(({ id, text, status }) => {
    return `- ${id} ${firstLine(text)}${status === "in_progress" ? " (in progress)" : ""}`;
  });
  const more = open.length > shown.length ? [`- and ${open.length - shown.length} more`] : [];
  return [`Your tasks: ${todos.length - open.length} of ${todos.length} completed. Open:`, ...shown, ...more];
}

function firstLine(text: string): string {
  const line = text.trim().split(/[\n\r\v\f\u0085\u2028\u2029]/, 1)[0] ?? "";
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line;
}
