import type { Permission, PermissionOutcome } from "@harness/protocol";

/** The people, or programs, that can answer. */
export interface Asker {
  /** False: no client can answer, so requests are denied. */
  canAsk(): boolean;
  /** The first answer from anyone; `cancelled` when the signal aborts. Never rejects. `by` says who, for the log. */
  askPermission(permission: Permission, signal: AbortSignal): Promise<{ outcome: PermissionOutcome; by: string }>;
  /** False: no connected client takes questions in words. */
  canAskQuestion(): boolean;
  /** Asks a question in words and waits for any client until the signal aborts. Never rejects. */
  askQuestion(question: ElicitationRequest, signal: AbortSignal): Promise<QuestionEnd>;
}

export type ElicitationRequest = {
  elicitationId: string;
  agentId: string;
  message: string;
  /** Its subject in a word or two. */
  header?: string;
  /** Markdown that the question is about, such as a plan. */
  about?: string;
  /** The address that the person is asked to open; the first option says that they did. */
  url?: string;
  options: { optionId: string; name: string; description?: string | undefined }[];
  freeText: boolean;
  /** True if several options may be chosen. */
  multiple?: boolean;
  /** Its place among questions that are asked one after another. */
  part?: { at: number; of: number };
  /** True if the person can return to the question before. */
  back?: true;
  /** The answer that was given, or begun, before the person went back. */
  given?: { optionId?: string; text?: string };
  /** ISO time at which the question expires; absent: never. */
  expiresAt?: string;
};

/**
 * One of the options, free text, or why there is no answer. `silent`: nobody answered; `withdrawn`: the signal
 * aborted; `back`: the person returns to the question before, as the request allows; `draft`: the answer as they left
 * it.
 */
export type QuestionEnd =
  | { optionId: string }
  | { text: string }
  | { unanswered: "declined" | "silent" | "withdrawn" }
  | { unanswered: "back"; draft?: string };
