import type { Fact, Todo } from "@harness/protocol";
import { changedFilesNote } from "../../context/conversation/changed-files-note.ts";
import { shownPath } from "../../context/conversation/shown-path.ts";
import { type View, viewOf } from "../../context/conversation/view-of.ts";
import { type WorkState, workingContext } from "../../context/conversation/working-context.ts";
import type { Turn } from "./turn.ts";

/** The distance, in characters, at which models begin to forget: some 12,000 tokens. */
const IN_VIEW_CHARS = 48_000;
/** The number of last used files that are checked for changes from outside. */
const MAX_CHECKED = 20;
const MAX_FILES = 5;

/** Tells the model once which files it knows were changed by others, before the first request of a turn. */
export async function noteChangedFiles(turn: Turn): Promise<void> {
  const { agent, scope } = turn;
  if (turn.requests > 0 || !scope.settings.values.working_context) return;
  const { changedSince } = scope.ports.files;
  const seen = agent.files.unannounced(MAX_CHECKED);
  const checked = await Promise.all(
    seen
      // Files that wait for a review were changed by the agent itself.
      .filter(({ path }) => !scope.journal.state.staged.has(path))
      .map(async ({ path, stamp }) => ({ path, state: await changedSince(path, stamp) })),
  );
  const changed = checked.filter(({ state }) => state !== "same");
  if (changed.length === 0 || turn.signal.aborted) return;
  turn.record({
    ...noteOf(turn, changedFilesNote(changed, scope.ports.log.header.cwd)),
    files: changed.map(({ path }) => ({ path, how: "changed_outside" as const })),
  });
}

/**
 * Reminds the model of its tasks and files when they are far back in its messages, or missing from the summary.
 * Anything in view is not repeated: short conversations have no such block. It is the last message, so that the cached
 * prefix stays valid.
 */
export function addWorkingContext(turn: Turn): void {
  const { agent, scope } = turn;
  if (!scope.settings.values.working_context) return;
  const view = viewOf(agent.projection, IN_VIEW_CHARS);
  // A block in view is enough, even if its content has changed since: the change is in view as well.
  if (!view || (view.block && view.block.seq >= view.fromSeq)) return;
  const { cwd } = scope.ports.log.header;
  const work = lostWork(turn, view, cwd);
  if (!work) return;
  const text = workingContext(work, cwd);
  if (view.block?.text !== text) turn.record({ ...noteOf(turn, text), kind: "working_context" });
}

/** The state of the work; undefined if everything that matters is in view. */
function lostWork({ agent, scope }: Turn, view: View, cwd: string): WorkState | undefined {
  const { projection, files } = agent;
  const isLost = (seq: number, text: string) => seq < view.fromSeq && !view.summary.includes(text);
  const { todos = [], todoLists = [] } = scope.journal.state.agents.get(agent.agentId) ?? {};
  const todoSeq = todoLists.at(-1)?.seq ?? 0;
  const isTodoLost = ({ text, status }: Todo) => status !== "completed" && isLost(todoSeq, text);
  const changes = files.changes.slice(0, MAX_FILES);
  const { lastPrompt: prompt } = projection;
  const isTaskLost = prompt !== undefined && isLost(prompt.seq, prompt.text.slice(0, 100));
  const isChangeLost = changes.some(({ seq, path }) => isLost(seq, shownPath(path, cwd)));
  if (!isTaskLost && !isChangeLost && !todos.some(isTodoLost)) return undefined;
  return {
    task: isTaskLost ? prompt.text : undefined,
    todos,
    files: files.inPlay(MAX_FILES).map(({ path }) => path),
    changes: changes.map(({ path, how }) => ({ path, isRemoved: how === "removed" })),
  };
}

function noteOf(turn: Turn, text: string): Extract<Fact, { sessionUpdate: "user_message" }> {
  return {
    sessionUpdate: "user_message",
    messageId: turn.runtime.ids.next("message"),
    content: [{ type: "text", text }],
    origin: "harness",
  };
}
