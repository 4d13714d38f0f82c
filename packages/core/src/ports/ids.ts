/** Creates ids, each unique within its session. */
export interface Ids {
  next(kind: "message" | "turn" | "call" | "permission" | "question" | "compaction" | "rewind"): string;
}
