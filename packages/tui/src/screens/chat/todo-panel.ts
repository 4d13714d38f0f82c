import type { Todo } from "@harness/protocol";
import type { KeyLabels } from "../../keymap/key-labels.ts";
import { todoLooks } from "../../render/blocks/entry-rows.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import { type Row, row, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";
import { inset, spread } from "../../widgets/boxes.ts";
import { listWindow } from "../../widgets/list-slice.ts";

const MUTED = style({ fg: "muted" });
/** Tasks shown at once if the screen is high enough. */
const MAX_SHOWN = 10;

type View = Pick<ChromeView, "todos" | "todosOpen" | "size" | "busy" | "keys">;

/**
 * The tasks of the agent in view: one row with the current one, or the list. Empty once all are done and the agent is
 * idle.
 */
export function todoPanel({ todos, todosOpen, size, busy, keys }: View): Row[] {
  const done = todos.filter(({ status }) => status === "completed").length;
  if (todos.length === 0 || (done === todos.length && !busy)) return [];
  const width = size.columns - 2;
  const count = `${done}/${todos.length}`;
  const current = currentTask(todos);
  if (!todosOpen) {
    const at = todos[current];
    const { mark, look } = todoLooks[at?.status ?? "completed"];
    const text = at ? sanitiseLine(at.text) : "all done";
    const left = [span(mark, look), span(count), span(` · ${text}`, MUTED)];
    return inset([spread(left, [span(foldHint(keys, "opens"), MUTED)], width)], size.columns);
  }
  const height = Math.max(2, Math.min(MAX_SHOWN, Math.floor(size.rows / 3) - 1));
  const { from, to } = listWindow(Math.max(0, current), todos.length, height);
  const hidden = todos.length - (to - from);
  const head = spread(
    [span(`Tasks ${count}`), span(hidden > 0 ? `  ${hidden} more` : "", MUTED)],
    [span(foldHint(keys, "folds"), MUTED)],
    width,
  );
  const rows = todos.slice(from, to).map(({ status, text }) => {
    const { mark, look } = todoLooks[status];
    return truncateRow(row(span(mark, status === "completed" ? MUTED : look), span(sanitiseLine(text), look)), width);
  });
  return inset([head, ...rows], size.columns);
}

function foldHint(keys: KeyLabels, what: string): string {
  return keys.say("chat.todos", (key) => `  ${key} ${what}`);
}

/** The task in progress, or the first that is not done; -1 if all are. */
function currentTask(todos: readonly Todo[]): number {
  const at = todos.findIndex(({ status }) => status === "in_progress");
  return at >= 0 ? at : todos.findIndex(({ status }) => status === "pending");
}
