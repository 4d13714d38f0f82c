import * as z from "zod";
import { olderPermissionModes, PLAN, permissionModes } from "../choices.ts";
import { Block } from "./blocks.ts";

/** An effect of a call, computed from its arguments before anything runs. Paths are absolute. */
export const Effect = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("read"), path: z.string() }),
  z.object({ kind: z.literal("write"), path: z.string() }),
  /**
   * `outside`: it runs outside the sandbox. `sent`: nothing is started: the running command `to` gets `text`, after
   * `before`, everything it was sent until now (absent if unknown); `command` expresses the same as a pipe.
   */
  z.object({
    kind: z.literal("run"),
    command: z.string(),
    cwd: z.string(),
    outside: z.boolean().optional(),
    sent: z.object({ to: z.string(), text: z.string(), before: z.string().optional() }).optional(),
  }),
  z.object({ kind: z.literal("reach"), url: z.string() }),
  z.object({ kind: z.literal("spend"), what: z.string() }),
  /**
   * Only the server knows the effect of an MCP tool. `destructive`: the server says that it destroys something.
   * `changed`: the server's description has changed since the tool last ran. `configuration`: how the server is
   * reached, as a hash. `project`: defined by a file of the project. `replaces`: it overrides the user's own server of
   * this name.
   */
  z.object({
    kind: z.literal("mcp"),
    server: z.string(),
    tool: z.string(),
    destructive: z.boolean().optional(),
    changed: z.boolean().optional(),
    configuration: z.string().optional(),
    project: z.boolean().optional(),
    replaces: z.boolean().optional(),
  }),
]);
export type Effect = z.infer<typeof Effect>;

export const Risk = z.enum(["safe", "medium", "high"]);
export type Risk = z.infer<typeof Risk>;

/** `reject_once` may carry a message to the model (`feedback` in the outcome). */
export const PermissionOption = z.object({
  optionId: z.string(),
  name: z.string(),
  kind: z.enum(["allow_once", "allow_turn", "allow_session", "allow_always", "reject_once", "reject_always"]),
  /** A description of the calls that a lasting answer would cover. */
  covers: z.string().optional(),
});
export type PermissionOption = z.infer<typeof PermissionOption>;

/**
 * A finding of the gate in a call: programs it starts (also in substitutions), files it writes, hosts, whether it runs
 * in the sandbox. `warning`: something that is easy to overlook, such as a character that looks like a different one.
 */
export const PermissionNote = z.object({
  kind: z.enum(["runs", "reads", "writes", "deletes", "reaches", "sandbox", "undo", "warning"]),
  text: z.string(),
});
export type PermissionNote = z.infer<typeof PermissionNote>;

/**
 * One change of a file that waits for a review: `before` is replaced by `after`, whole lines with their line ends.
 * `line`: where it begins in the file, from 1. `above`, `below`: a few unchanged lines around it. `agents`: who has changed this file, in order.
 */
export const ReviewHunk = z.object({
  hunkId: z.string(),
  path: z.string(),
  change: z.enum(["create", "modify", "delete"]),
  line: z.number(),
  before: z.string(),
  after: z.string(),
  above: z.string().optional(),
  below: z.string().optional(),
  agents: z.array(z.string()).optional(),
});
export type ReviewHunk = z.infer<typeof ReviewHunk>;

/**
 * The decision on one hunk. `text` accepts it with different lines in place of `after`; `feedback` says why it is
 * rejected.
 */
export const HunkAnswer = z.object({
  hunkId: z.string(),
  take: z.boolean(),
  text: z.string().optional(),
  feedback: z.string().optional(),
});
export type HunkAnswer = z.infer<typeof HunkAnswer>;

/** A request for permission to run one tool call. It outlives connections: a client that attaches gets it again. */
export const Permission = z.object({
  permissionId: z.string(),
  agentId: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  title: z.string(),
  reason: z.string(),
  risk: Risk,
  effects: z.array(Effect),
  preview: z.array(Block),
  /** Absent if an older version wrote it. */
  notes: z.array(PermissionNote).optional(),
  options: z.array(PermissionOption),
  /**
   * Edits that were collected: they may be accepted or rejected one by one (`hunks` in the outcome), otherwise
   * together.
   */
  review: z.array(ReviewHunk).optional(),
});
export type Permission = z.infer<typeof Permission>;

export const PermissionOutcome = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("selected"),
    optionId: z.string(),
    feedback: z.string().optional(),
    /** For a review: hunks that the option does not decide. */
    hunks: z.array(HunkAnswer).optional(),
  }),
  z.object({ outcome: z.literal("cancelled") }),
]);
export type PermissionOutcome = z.infer<typeof PermissionOutcome>;

/**
 * Why a permission request has ended. `answered`: a client answered it, see `by`. `cancelled`: its call was stopped.
 * `interrupted`: the server ended while it was open. The others: it was withdrawn and the call was judged again,
 * because the mode changed, rules or settings changed, an answer to another request was stored, a secret was read, or
 * files that it shows changed.
 */
export const PermissionEnd = z.enum([
  "answered",
  "cancelled",
  "interrupted",
  "mode_changed",
  "rules_changed",
  "answer_kept",
  "secret_read",
  "files_changed",
]);
export type PermissionEnd = z.infer<typeof PermissionEnd>;

export const PermissionMode = z.enum(permissionModes);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** A permission mode as stored or sent, including the names of older versions. */
export const NamedPermissionMode = z.union([
  PermissionMode,
  z.enum(["auto", PLAN]).transform((older) => olderPermissionModes[older]),
]) as z.ZodType<PermissionMode, PermissionMode>;

/** A rule in force, or an answer that holds for a while, as lists show it. */
export const RuleView = z.object({
  /** For `permissions/revoke`; absent if it cannot be revoked here (`where` names its file or setting). */
  ruleId: z.string().optional(),
  decision: z.enum(["allow", "ask", "deny"]),
  /** As people write it: `bash(npm test)`, `write(src/**)`. */
  text: z.string(),
  scope: z.enum(["turn", "session", "run", "user", "project", "repository", "setting"]),
  /** The file or setting, or "given in this session". */
  where: z.string(),
  why: z.string().optional(),
  createdAt: z.string().optional(),
  /** Why it is not in force. */
  problem: z.string().optional(),
});
export type RuleView = z.infer<typeof RuleView>;

/** A line of the audit log with the outcome of the call. `text` is redacted. */
export const AuditEntry = z.object({
  at: z.string(),
  monotonicMs: z.number(),
  sessionId: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  /** SHA-256 of the command or the title, before it was redacted. */
  sha256: z.string(),
  text: z.string(),
  cwd: z.string(),
  verdict: z.enum(["allowed", "denied", "cancelled"]),
  /** The decider: a rule's text, `person (client)`, `read-only`, `mode allow-all` … */
  by: z.string(),
  /** Decided without the user. */
  auto: z.boolean(),
  mode: NamedPermissionMode,
  risk: Risk,
  /** The duration of the run; absent if it did not run, or has not ended. */
  durationMs: z.number().optional(),
  status: z.string().optional(),
  exitCode: z.number().nullable().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
