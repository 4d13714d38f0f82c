import { type Content, textOf } from "@harness/protocol";

const NOTE = /\[Today: (\d{4}-\d\d-\d\d)\]$/;

/**
 * Tells the model the date. It is part of a message, because in the system text it would change the prefix every day
 * and invalidate cached prompts.
 */
export function dateNote(today: string): string {
  return `[Today: ${today}]`;
}

/** The date that a message ends with. */
export function dateIn(content: readonly Content[]): string | undefined {
  return NOTE.exec(textOf(content.slice(-1)))?.[1];
}
