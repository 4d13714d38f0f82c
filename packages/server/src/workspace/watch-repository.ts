import { type FSWatcher, watch } from "node:fs";
import { findRepository } from "./git-state.ts";

/**
 * Calls `onChange` when HEAD or the index of a folder's repository changes (a commit, a checkout, `git add` elsewhere).
 * Idle while nothing happens. Edits of plain files are not seen: callers ask again after tool calls, and when the
 * window gets the focus.
 */
export async function watchRepository(cwd: string, onChange: () => void): Promise<() => void> {
  const repository = await findRepository(cwd);
  if (!repository) return () => undefined;
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(repository.gitDir, { persistent: false }, (_event, name) => {
      if (name === "HEAD" || name === "index") onChange();
    });
    // Watches run out (inotify limit) and folders vanish: the numbers are then refreshed only after the agent's own
    // work.
    watcher.on("error", () => watcher?.close());
  } catch {
    return () => undefined;
  }
  return () => watcher.close();
}
