import { join } from "node:path";
import { realPathOrSame } from "@harness/host";
import { openCheckpoints, openWorktrees } from "@harness/storage";
import { type Bootstrap, nodeClock } from "@harness/workspace";
import type { FolderDeps } from "./session-factory.ts";

/** The files that sessions keep beside their logs, and the states of files that can be undone. */
export function sessionFiles(base: Bootstrap): FolderDeps["files"] {
  return {
    checkpoints: checkpointsOf(base),
    worktrees: worktreesOf(base),
    ofSession: (sessionId) => join(base.configPaths.conversations, sessionId),
  };
}

function worktreesOf({ configPaths, settings }: Bootstrap): FolderDeps["files"]["worktrees"] {
  return ({ sessionId, cwd }) =>
    openWorktrees({
      cwd: realPathOrSame(cwd),
      place: worktreesPlace(configPaths, sessionId),
      folder: join(configPaths.root, "checkpoints"),
      leaveOut: [configPaths.root, configPaths.conversations, configPaths.logs],
      get maxFileBytes() {
        return settings.live(cwd).values.checkpoint_max_file_bytes;
      },
      clock: nodeClock,
    });
}

/** Beside the log of the session, and gone with it. */
export function worktreesPlace({ conversations }: Bootstrap["configPaths"], sessionId: string): string {
  return join(conversations, sessionId, "worktrees");
}

/** Files of harness itself are left out of checkpoints. */
function checkpointsOf({ configPaths, settings, report }: Bootstrap): FolderDeps["files"]["checkpoints"] {
  return (folder, roots) =>
    openCheckpoints({
      folder: join(configPaths.root, "checkpoints"),
      roots,
      leaveOut: [configPaths.root, configPaths.conversations, configPaths.logs],
      get maxFileBytes() {
        return settings.live(folder).values.checkpoint_max_file_bytes;
      },
      clock: nodeClock,
      report,
    });
}
