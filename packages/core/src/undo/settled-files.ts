import type { RestoredFile, TurnStretch } from "@harness/protocol";
import type { Checkpoints } from "../ports/checkpoints.ts";
import type { SessionPorts } from "../ports/session-ports.ts";
import { pathInFolder, pathOfName } from "./folder-path.ts";

const UNSAVED = "it has changes in the editor that could not be saved";

type RevertedFiles = Pick<SessionPorts["files"], "buffers"> & { checkpoints: Checkpoints; cwd: string };

/** Files that a revert leaves alone; `show` comes after it. */
export type SettledFiles = { left: RestoredFile[]; show(): Promise<void> };

const NOTHING: SettledFiles = { left: [], show: async () => undefined };

/**
 * Saves what the person has typed in files that are about to be reverted, so that it is merged, and not lost in a
 * conflict of their editor with the disk. `now`: the state that stretches without an end go to.
 */
export async function settleBuffers(
  { buffers, checkpoints, cwd }: RevertedFiles,
  stretches: readonly TurnStretch[],
  now: () => Promise<string | undefined>,
): Promise<SettledFiles> {
  if (!buffers?.isOffered) return NOTHING;
  const end = await now();
  const paths = new Set<string>();
  for (const { before, after = end, paths: only, except = [] } of stretches) {
    const changes = after === undefined ? undefined : await checkpoints.compare(before, after);
    if (!changes || "problem" in changes) continue;
    for (const { path } of changes.files)
      if (only?.includes(path) !== false && !except.includes(path)) paths.add(pathOfName(path, cwd));
  }
  const { left, show } = await buffers.settle([...paths]);
  return { left: left.map((path) => ({ path: pathInFolder(path, cwd), outcome: "failed", why: UNSAVED })), show };
}
