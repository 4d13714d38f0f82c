import type { FileLedger, StagedChanges } from "@harness/core";
import { sha256 } from "./digest.ts";

/** For the model, which would otherwise look for its changes in the files. */
export const STAGED = "[The person reviews it before it is in the file; read and edit already see it.]";

/** `base`: the file on disk, if nothing is staged for it yet. `likePath`: the file whose mode a new file gets. */
type StagedContent = {
  realPath: string;
  bytes?: Buffer;
  base: string | null;
  likePath?: string;
  lines?: [number, number][];
};

/** Stages these changes, all or none; they count as seen. Throws `LogWriteError`. */
export async function stageAll(
  changes: readonly StagedContent[],
  staged: StagedChanges,
  files: FileLedger,
): Promise<void> {
  await staged.stage(
    changes.map(({ realPath, bytes, base, likePath }) => ({
      path: realPath,
      text: bytes?.toString("utf8"),
      base,
      ...(likePath === undefined ? {} : { like: likePath }),
    })),
  );
  for (const { realPath, bytes, lines } of changes) {
    const stamp = bytes && { sizeBytes: bytes.length, sha256: await sha256(bytes), ...(lines ? { lines } : {}) };
    files.record(realPath, stamp, "changed");
  }
}
