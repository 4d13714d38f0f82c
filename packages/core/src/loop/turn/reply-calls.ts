import type { ToolCallPart } from "@harness/protocol";
import type { CallEnd, CallsToAnswer } from "../stages/stage-value.ts";

/** The calls of a turn's current reply. Some may run already while the reply still streams. */
export interface ReplyCalls {
  /** The calls that started before the reply was complete, as the log has them. */
  readonly started: readonly ToolCallPart[];
  /** The reply has as many calls as may run; the others are answered when it is complete. */
  readonly isFull: boolean;
  /** Takes a call that can no longer change; `sentId`: the provider's id for it. In the order of the reply. */
  offer(sentId: string, part: ToolCallPart): void;
  /** A call that arrived before the reply was complete, as the log has it or would have it, by the provider's id. */
  named(sentId: string): ToolCallPart | undefined;
  /** The whole reply is in the log: runs the calls that have not started, and resolves with all results. */
  answer(calls: CallsToAnswer): Promise<CallEnd[]>;
  /** The reply will never be complete: nothing more starts. */
  close(): void;
  /** The same; resolves when every started call is answered. */
  settle(): Promise<void>;
}
