import type { AuditEntry, PermissionMode, RuleView } from "@harness/protocol";
import type { PolicyRule } from "./policy.ts";

/** A rule that is kept, and where. */
export type KeptRule = { ruleId: string; rule: PolicyRule; scope: "user" | "project" | "repository"; path: string };

/** The policies that hold for a session's folder. */
export type PolicySet = {
  rules: readonly KeptRule[];
  /** Problems of the files, in sentences for people. */
  problems: readonly string[];
  /** A file cannot be read or has unknown keys: a denial may be lost, so harness asks about everything. */
  everythingAsks: boolean;
  /** Changes with every byte of the files. */
  version: string;
};

/** Rules in force as lists show them, with what is wrong with those that are not. */
export type RuleList = { rules: RuleView[]; problems: string[]; everythingAsks: boolean };

/** Rules that outlive sessions. Read again whenever a file has changed. */
export interface Policies {
  /** The real folder that path patterns of these rules start from, such as the top of the repository; absent: the session's. */
  readonly base?: string;
  /** Never throws; costs a stat a file when nothing has changed. */
  current(): PolicySet;
  /** A notice for people about their rules, given once. Absent: never. Never throws. */
  advice?(): { title: string; description: string } | undefined;
  /** Keeps rules for the project of the session; a sentence when they could not be written. On disk when it returns. */
  keep(rules: readonly PolicyRule[]): { kept: KeptRule[] } | { problem: string };
}

/** The entry that is in the audit log before a call may run. */
export type AuditDecision = Omit<AuditEntry, "at" | "sha256" | "text" | "durationMs" | "status" | "exitCode"> & {
  /** The command, or the call's title; it is redacted before it is written. */
  text: string;
  mode: PermissionMode;
};
/** How the call ended. */
export type AuditEnd = {
  sessionId: string;
  toolCallId: string;
  durationMs: number;
  status: string;
  exitCode?: number | null;
};

/** The append-only log of decisions. */
export interface AuditLog {
  /** False: it could not be written; nothing may then be allowed that no person has allowed. Never throws. */
  decided(decision: AuditDecision): boolean;
  /** Its path and why the last line could not be written; undefined: it could. */
  failure(): string | undefined;
  /** Never throws. */
  ended(end: AuditEnd): void;
}
