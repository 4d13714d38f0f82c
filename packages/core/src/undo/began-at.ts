import type { UndoState } from "@harness/protocol";

type Prompts = UndoState["messages"];

/**
 * The first fact of what a message and those after it began. After a change of message files they follow again, behind what
 * their turns have done.
 */
export function beganAt(message: Prompts[number], messages: Prompts): number {
  return Math.min(...messages.slice(messages.indexOf(message)).map(({ since }) => since));
}
