import { type Content, textOf } from "@harness/protocol";

const NOTE = /\[Today: (\d{4}-\d\d-\d\d)\]$/;

/**
 * Tells the model the date. It goes with a message: in the system text it would change the prefix every day and make
 * cached prompts useless.
 */
export function dateNote(today: string): string {
  return `[Today: ${today}]`;
}

/** The date that a message ends with. */
export function dateIn(content: readonly Content[]): string | undefined {
  return NOTE.exec(textOf(content.slice(-1)))?.[1];
}
