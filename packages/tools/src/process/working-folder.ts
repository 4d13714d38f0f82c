import { lstatSync } from "node:fs";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileProblem } from "../files/file-problem.ts";
import { type PathOptions, realPathNow, strayed } from "../files/judged-path.ts";

/** `isStandIn`: an empty folder replaces the session's. */
export type WorkingFolder = { path: string; isStandIn: boolean; note?: string; leave(): Promise<void> };

/**
 * The session's folder. If it no longer exists, an empty folder replaces it: what was approved for one place must not
 * run in another with other files, such as the parent folder.
 */
export async function openWorkingFolder(options: PathOptions): Promise<WorkingFolder | { problem: string }> {
  const { cwd } = options;
  const real = realPathNow(cwd);
  const stray = strayed(cwd, real, options);
  if (stray) return { problem: stray };
  try {
    // Synchronous: the command is started in this folder next and would wait for it anyway.
    if (lstatSync(real).isDirectory()) return { path: real, isStandIn: false, leave: async () => undefined };
    return { problem: `The session's folder ${cwd} is no longer a folder: move away the file in its place.` };
  } catch (error) {
    try {
      const path = await mkdtemp(join(tmpdir(), "harness-"));
      const note =
        `[The session's folder ${cwd} cannot be entered (${fileProblem(error)}), so this ran in the empty folder ` +
        `${path}. It was moved or removed: tell the person, or use absolute paths.]`;
      // Not removed if the command created files there.
      return { path, isStandIn: true, note, leave: () => rmdir(path).catch(() => undefined) };
    } catch {
      return { problem: `The session's folder ${cwd} cannot be entered: ${fileProblem(error)}.` };
    }
  }
}
