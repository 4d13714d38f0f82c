import type { ToolCategory } from "@harness/gate";
import type { Effect } from "@harness/protocol";

/**
 * A result in the conversation and what is known about its call: enough to decide if later requests need it in full.
 */
export type PastResult = {
  toolCallId: string;
  /** One line for people, such as `read src/a.ts`. */
  title: string;
  /** As requests currently contain it. */
  text: string;
  pictures: number;
  isError: boolean;
  /** Equal for calls to the same tool with the same arguments. */
  key: string;
  category: ToolCategory;
  effects: readonly Effect[];
  /** Replies since the one that made the call; 0: the model has not answered it yet. */
  age: number;
  /** True if the user has spoken since. */
  isOfOldTurn: boolean;
};
