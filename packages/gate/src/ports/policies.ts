import type { AuditEntry, PermissionMode, RuleView } from "@harness/protocol";
import type { PolicyRule } from "./policy.ts";

/** A saved rule, and where it is saved. */
export type KeptRule = { ruleId: string; rule: PolicyRule; scope: "user" | "project" | "repository"; path: string };

/** The policies that apply to a session's folder. */
export type PolicySet = {
  rules: readonly KeptRule[];
  /** Problems of the files, in sentences for people. */
  problems: readonly string[];
  /** True if a file cannot be read or has unknown keys: a denial may be lost, so harness asks about everything. */
  everythingAsks: boolean;
  /** Changes with every byte of the files. */
  version: string;
};

/** Rules in force for display, with the problems of those that are not. */
export type RuleList = { rules: RuleView[]; problems: string[]; everythingAsks: boolean };

/** Rules that outlive sessions. Read again whenever a file has changed. */
export interface Policies {
  /**
   * The real folder that path patterns of these rules are relative to, such as the top of the repository; absent: the
   * session's.
   */
  readonly base?: string;
  /** Never throws; costs one stat per file if nothing has changed. */
  current(): PolicySet;
  /** A notice for people about their rules, returned once. Absent: never. Never throws. */
  advice?(): { title: string; description: string } | undefined;
  /** Saves rules for the session's project; a sentence if they could not be written. On disk when it returns. */
  keep(rules: readonly PolicyRule[]): { kept: KeptRule[] } | { problem: string };
}

/** The entry that is written to the audit log before a call may run. */
export type AuditDecision = Omit<AuditEntry, "at" | "sha256" | "text" | "durationMs" | "status" | "exitCode"> & {
  /** The command, or the call's title; redacted before it is written. */
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
  /** False: it could not be written; nothing may then be allowed unless the user has allowed it. Never throws. */
  decided(decision: AuditDecision): boolean;
  /** The log's path, and why the last line could not be written; undefined: it could. */
  failure(): string | undefined;
  /** Never throws. */
  ended(end: AuditEnd): void;
}
