import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readRegularFile } from "@harness/host";

const MAX_BYTES = 1_000_000;

/**
 * The `info/exclude` of the repository that begins in a folder; of a worktree, that of the repository it belongs to.
 * Empty if no repository begins there, or the file is missing or unreadable.
 */
export async function excludeText(folder: string): Promise<string> {
  const dotGit = join(folder, ".git");
  const found = await lstat(dotGit).catch(() => undefined);
  if (!found) return "";
  try {
    const gitDir = found.isDirectory() ? dotGit : commonDir(folder, dotGit);
    return gitDir === undefined ? "" : `${textOf(join(gitDir, "info", "exclude"))}\n`;
  } catch {
    return "";
  }
}

/** A `.git` that is a file names the folder with the state of a worktree (gitrepository-layout(5)). */
function commonDir(folder: string, dotGit: string): string | undefined {
  const target = /^gitdir: (.+)$/m.exec(textOf(dotGit))?.[1];
  if (!target) return undefined;
  const gitDir = resolve(folder, target);
  try {
    return resolve(gitDir, textOf(join(gitDir, "commondir")).trim());
  } catch {
    // A submodule has no such file.
    return gitDir;
  }
}

/** Anyone may have written it: it may be a named pipe, or endless. */
function textOf(path: string): string {
  return readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8");
}
