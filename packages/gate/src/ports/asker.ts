import type { Permission, PermissionOutcome } from "@harness/protocol";

/** The people, or programs, that can answer. */
export interface Asker {
  /** False = nobody can be asked: what would be asked is denied. */
  canAsk(): boolean;
  /** The first answer of anyone; `cancelled` when the signal aborts. Never rejects. `by` says who, for the log. */
  askPermission(permission: Permission, signal: AbortSignal): Promise<{ outcome: PermissionOutcome; by: string }>;
  /** False = nobody who is there takes questions in words. */
  canAskQuestion(): boolean;
  /** A question in words; it waits for whoever comes until the signal aborts. Never rejects. */
  askQuestion(question: Question, signal: AbortSignal): Promise<QuestionEnd>;
}

export type Question = {
  elicitationId: string;
  agentId: string;
  message: string;
  options: { optionId: string; name: string }[];
  freeText: boolean;
  /** ISO time at which it is given up; absent: it waits. */
  expiresAt?: string;
};

/**
 * One of the options, or the person's own words; or why there is no answer: `silent` = all who were asked gave none,
 * `withdrawn` = the signal aborted.
 */
export type QuestionEnd = { optionId: string } | { text: string } | { unanswered: "declined" | "silent" | "withdrawn" };
