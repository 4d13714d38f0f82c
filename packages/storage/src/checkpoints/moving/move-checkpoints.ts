import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskProblem, errorCode } from "@harness/host";
import { CheckpointFolder, type CheckpointFolderOptions } from "../checkpoint-folder.ts";
import { treesIn } from "../checkpoint-id.ts";
import { GitError } from "../store-git.ts";
import { type CheckpointPack, type PackedTree, takePack, writePack } from "./checkpoint-pack.ts";

/** A folder of files, and where its checkpoints are stored. */
type MoveOptions = Omit<CheckpointFolderOptions, "git"> & { root: string };

/** `store`: as ids of checkpoints name it. `close` removes the file. */
export type MovingCheckpoints = CheckpointPack & { store: string; close(): void };

/**
 * Packs the states of a folder's files that checkpoints consist of, for a folder elsewhere. Undefined: none of them is of this folder.
 */
export async function packCheckpoints(
  place: MoveOptions,
  { checkpointIds, hide }: { checkpointIds: Iterable<string>; hide(text: string): string },
): Promise<MovingCheckpoints | { problem: string } | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "harness-checkpoints-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  const packed = await orProblem(place, async () => {
    const from = folderAt(place);
    const store = from.store();
    const trees = new Set<string>();
    for (const checkpointId of checkpointIds) {
      const tree = treesIn(checkpointId).get(store);
      if (tree !== undefined) trees.add(tree);
    }
    return trees.size === 0
      ? undefined
      : { ...(await from.inStore((git) => writePack(git, [...trees], { folder, hide }))), store, close };
  });
  if (packed === undefined || "problem" in packed) close();
  return packed;
}

/** Puts them into the store of a folder, and returns the name of that in ids of checkpoints. */
export function takeCheckpoints(
  place: MoveOptions,
  { path, trees }: { path: string; trees: readonly PackedTree[] },
): Promise<{ store: string; trees: readonly PackedTree[] } | { problem: string }> {
  return orProblem(place, async () => {
    const to = folderAt(place);
    return { store: to.store(), trees: await to.inStore((git, program) => takePack(git, path, { trees, program })) };
  });
}

function folderAt({ root, leaveOut, ...place }: MoveOptions): CheckpointFolder {
  const git = { command: "git", outside: [root] };
  return new CheckpointFolder(root, { ...place, leaveOut: [...leaveOut, place.folder], git });
}

async function orProblem<T>({ folder }: MoveOptions, work: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GitError) return { problem: error.message };
    if (errorCode(error) !== undefined) return { problem: diskProblem(error, "store the files for undo", folder) };
    throw error;
  }
}
