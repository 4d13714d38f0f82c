/** Creates ids, each unique within its session. */
export interface Ids {
  next(kind: "message" | "turn" | "call" | "agent" | "permission" | "question" | "compaction" | "rewind"): string;
}
