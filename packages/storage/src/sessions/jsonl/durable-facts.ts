import type { Fact } from "@harness/protocol";

/** Facts of these kinds must survive a crash of the machine; the others survive a crash of the process. */
const durableKinds: ReadonlySet<string> = new Set([
  "user_message",
  "permission_requested",
  "permission_resolved",
  "queue_update",
  "compaction_update",
  "context_update",
  "folder_update",
  "goal_update",
]);

/**
 * True if a fact must be flushed to disk before it is announced. An answer becomes durable when its agent comes to
 * rest, or with its first call that may change something; so do the results of calls. After the machine crashes, the
 * last calls get new results with a different text: a call that may have changed something is reported as started, one
 * that only reads as not run.
 */
export function mustBeOnDisk(update: Fact): boolean {
  if (update.sessionUpdate === "state_update") return ["idle", "waiting"].includes(update.state);
  if (update.sessionUpdate === "tool_call_update")
    return update.status === "in_progress" && !update.looks && !update.changesNothing;
  if (update.sessionUpdate === "staged_update") return update.files.some(({ standing }) => standing === "taken");
  return durableKinds.has(update.sessionUpdate);
}
