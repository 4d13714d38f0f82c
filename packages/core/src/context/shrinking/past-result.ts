import type { ToolCategory } from "@harness/gate";
import type { Effect } from "@harness/protocol";

/** A result of the conversation with what is known of its call: enough to decide whether later requests need all of it. */
export type PastResult = {
  toolCallId: string;
  /** One line for people, such as `read src/a.ts`. */
  title: string;
  /** As requests carry it now. */
  text: string;
  pictures: number;
  isError: boolean;
  /** Equal for calls of the same tool with the same arguments. */
  key: string;
  category: ToolCategory;
  effects: readonly Effect[];
  /** Replies since the one with its call; 0: the model has not answered it yet. */
  age: number;
  /** A person has spoken since. */
  isOfOldTurn: boolean;
};
