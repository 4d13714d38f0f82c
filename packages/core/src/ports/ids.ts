/** Creates ids, each unique within its session. */
export interface Ids {
  next(kind: "message" | "turn" | "worktree" | "call" | "permission" | "question" | "compaction" | "rewind"): string;
}
