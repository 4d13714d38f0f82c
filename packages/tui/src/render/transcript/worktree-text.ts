import type { AgentWorktree } from "@harness/protocol";

/** `3 files, +12 −4, not applied yet`: what an agent has changed in its worktree; "" if nothing. */
export function worktreeText({
  files,
  added,
  removed,
  state,
}: Pick<AgentWorktree, "files" | "added" | "removed" | "state">): string {
  if (files === 0) return "";
  return `${files === 1 ? "1 file" : `${files} files`}, +${added} −${removed}, ${state === "open" ? "not applied yet" : state}`;
}
