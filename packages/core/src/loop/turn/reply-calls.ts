import type { ToolCallPart } from "@harness/protocol";
import type { CallEnd, CallsToAnswer } from "../stages/stage-value.ts";

/** The calls of the reply that a turn is at. Some may run already while the reply still streams. */
export interface ReplyCalls {
  /** Those that have started before the reply was whole, as the log has them. */
  readonly started: readonly ToolCallPart[];
  /** The reply has as many calls as may run; the others are answered when it is whole. */
  readonly isFull: boolean;
  /** Takes a call that can no longer change; `sentId`: the provider's id for it. In the order of the reply. */
  offer(sentId: string, part: ToolCallPart): void;
  /** A call that came before the reply was whole, as the log has it or would have it, by the provider's id. */
  named(sentId: string): ToolCallPart | undefined;
  /** The whole reply is in the log: runs what has not started, and resolves with the results of all. */
  answer(calls: CallsToAnswer): Promise<CallEnd[]>;
  /** The reply will never be whole: nothing more starts. */
  close(): void;
  /** The same; resolves when everything that has started is answered. */
  settle(): Promise<void>;
}
