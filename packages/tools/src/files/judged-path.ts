import { basename, dirname, join } from "node:path";
import type { StagedChanges, ToolContext } from "@harness/core";
import { isWithin } from "@harness/gate";
import { realPathIfThere } from "@harness/host";
import type { BufferReader, FileBuffers } from "../buffers/file-buffers.ts";
import { displayPath } from "./absolute-path.ts";

/** The approval and folder under which a path is used. Implemented by a tool's context. */
export type PathOptions = {
  cwd: string;
  /**
   * Maps absolute paths of the approval to their real paths at that time. Paths without an entry were not part of it.
   */
  realPaths?: ReadonlyMap<string, string> | undefined;
  /** A real folder that the path must not leave. */
  below?: string;
  /** Files with the agent's staged changes; absent: as on disk. */
  staged?: StagedChanges | undefined;
  /** Files that the person has open in an editor; absent: as on disk. */
  buffers?: BufferReader | undefined;
};

/** The options of one call. `buffers`: files that clients have open; absent: files are only on disk. */
export function pathOptions(
  { cwd, staged, signal }: Pick<ToolContext, "cwd" | "staged" | "signal">,
  realPaths: PathOptions["realPaths"],
  buffers: FileBuffers | undefined,
): PathOptions {
  return { cwd, realPaths, staged, buffers: buffers?.during(signal) };
}

/**
 * Why a path must not be used: it leads to a different place than the approved one. A link can be replaced between the
 * approval and the use.
 */
export function strayed(path: string, realPath: string, options: PathOptions): string | undefined {
  const judged = options.realPaths?.get(path);
  const shown = displayPath(path, options.cwd);
  if (judged !== undefined && judged !== realPath) {
    return `${shown} now leads to ${realPath}, not to ${judged} as when this was allowed; ask again.`;
  }
  if (options.below !== undefined && !isWithin(realPath, options.below))
    return `${shown} leads out of ${options.below}.`;
  return undefined;
}

/**
 * The real path; for a missing file, the real path of its deepest existing folder plus the rest. Synchronous: for
 * several folders in a row, waiting for a thread costs more than the lookups.
 */
export function realPathNow(path: string): string {
  const real = realPathIfThere(path);
  if (real !== undefined) return real;
  const parent = dirname(path);
  return parent === path ? path : join(realPathNow(parent), basename(path));
}
