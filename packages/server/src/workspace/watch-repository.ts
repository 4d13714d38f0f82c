import { type FSWatcher, watch } from "node:fs";
import { findRepository } from "./git-state.ts";

/**
 * Tells when HEAD or the index of a folder's repository changes (a commit, a checkout, `git add` elsewhere). Costs
 * nothing while nothing happens. Edits of plain files are not seen: ask again after tool calls, and when the window
 * gets the focus.
 */
export async function watchRepository(cwd: string, onChange: () => void): Promise<() => void> {
  const repository = await findRepository(cwd);
  if (!repository) return () => undefined;
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(repository.gitDir, { persistent: false }, (_event, name) => {
      if (name === "HEAD" || name === "index") onChange();
    });
    // Watches run out (inotify limit), folders vanish: the numbers then only refresh with the agent's own work.
    watcher.on("error", () => watcher?.close());
  } catch {
    return () => undefined;
  }
  return () => watcher.close();
}
