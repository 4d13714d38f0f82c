import { type Content, textOf } from "@harness/protocol";

const NOTE = /\[Today: (\d{4}-\d\d-\d\d)\]$/;

/**
 * The words that tell the model the date. They go with a message and not into the system text, which would be another one
 * each day, so that no server could use what it has cached of it.
 */
export function dateNote(today: string): string {
  return `[Today: ${today}]`;
}

/** The date that a message ends with. */
export function dateIn(content: readonly Content[]): string | undefined {
  return NOTE.exec(textOf(content.slice(-1)))?.[1];
}
