import type { Permission, PermissionOutcome } from "@harness/protocol";

/** The people, or programs, that can answer. */
export interface Asker {
  /** False = nobody can be asked: what would be asked is denied. */
  canAsk(): boolean;
  /** The first answer of anyone; `cancelled` when the signal aborts. Never rejects. `by` says who, for the log. */
  askPermission(permission: Permission, signal: AbortSignal): Promise<{ outcome: PermissionOutcome; by: string }>;
  /** A question in words; undefined = declined, or nobody is there. Never rejects. */
  askQuestion(question: Question, signal: AbortSignal): Promise<string | undefined>;
}

export type Question = {
  elicitationId: string;
  agentId: string;
  message: string;
  options: { optionId: string; name: string }[];
  freeText: boolean;
};

/** Paths as the operating system sees them. */
export interface Paths {
  /** Resolves links of the deepest part that exists and keeps the rest; never throws. Absolute in, absolute out. */
  real(path: string): string;
}
