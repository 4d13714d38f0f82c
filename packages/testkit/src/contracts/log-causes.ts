import type { FactKind } from "@harness/protocol";

/**
 * Consequences that a stored fact may have when a session is opened, beyond being displayed, sent to the model and
 * ended by other facts. A log is data: a colleague may have sent it, another program may have written it. So none of
 * this reaches further than the files that the session has created itself, and the actions that an agent may take
 * without asking.
 */
type Cause =
  | "nothing"
  /** Accepted edits are written: from the session's own texts, where an agent may write; otherwise they wait again. */
  | "finishes edits"
  /**
   * Its worktree is kept, and others are removed: those that the repository of the session's folder knows at this
   * location.
   */
  | "tidies worktrees"
  /** A kept process is found again, by an output file of the session's own. */
  | "follows processes"
  /** The state of the workspace's files is stored; none is changed. */
  | "stores files";

/** Every kind of fact. A test forges each one that is not `nothing`, and opens a session with all of the others. */
export const logCauses = {
  user_message: "nothing",
  agent_message: "nothing",
  early_call: "nothing",
  tool_call_update: "nothing",
  session_info_update: "nothing",
  // Like the folder in the first line: it decides where the session works, not what it may do there.
  folder_update: "nothing",
  archive_update: "nothing",
  // The permission mode is never taken from the log.
  config_option_update: "nothing",
  compaction_update: "nothing",
  context_update: "nothing",
  notice: "nothing",
  todo_update: "nothing",
  // Read for requests like a file that the user mentions: none outside, none with secrets.
  pin_update: "nothing",
  skill_update: "nothing",
  // It is shown, and goes on only when a person says so.
  goal_update: "nothing",
  state_update: "nothing",
  // It can only make the session stricter, or name an existing agent.
  main_agent_update: "nothing",
  subagent_update: "tidies worktrees",
  inbox_update: "nothing",
  // Sent with the next prompt, and allows nothing: what a slash command allows counts only as it is typed.
  queue_update: "nothing",
  staged_update: "finishes edits",
  process_update: "follows processes",
  repair: "nothing",
  retry: "nothing",
  checkpoint: "stores files",
  turn_changes: "nothing",
  // Undo restores states of files from this user's store, at their request.
  rewind_update: "nothing",
  permission_requested: "nothing",
  // An answered review is carried out.
  permission_resolved: "finishes edits",
} as const satisfies Record<FactKind, Cause>;

/** The kinds that cause something. */
export type ActingFact = {
  [K in FactKind]: (typeof logCauses)[K] extends "nothing" ? never : K;
}[FactKind];
