import { lstat, readFile } from "node:fs/promises";
import type { FilesSince } from "@harness/core";
import { lineDiff } from "@harness/host";
import type { SeenFile } from "@harness/protocol";
import { displayPath } from "../files/absolute-path.ts";
import { sha256 } from "../files/digest.ts";

/** Larger files are not kept for this: if something changes them, they must be read again. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_SHOWN_LINES = 60;

type WrittenFile = { file: SeenFile; bytes: Buffer };

/**
 * Remembers the files that a call has just written, to report later how extensions, such as a formatter, changed them.
 * A file that already differs when the watch begins was changed by another program.
 */
export async function watchFiles(
  files: readonly SeenFile[],
  cwd: string,
): Promise<() => Promise<FilesSince | undefined>> {
  const written: WrittenFile[] = [];
  for (const file of files) {
    const found = await readFileState(file.path);
    if (found && (await sha256(found.bytes)) === file.sha256) written.push({ file, bytes: found.bytes });
  }
  return async () => {
    const since = await Promise.all(written.map((each) => changeOf(each, cwd)));
    const changed = since.filter((each) => each !== undefined);
    if (changed.length === 0) return undefined;
    return {
      files: changed.map(({ file }) => file),
      text: changed.map(({ text }) => text).join("\n"),
      blocks: changed.map(({ block }) => block),
    };
  };
}

async function changeOf({ file, bytes }: WrittenFile, cwd: string) {
  const now = await readFileState(file.path);
  if (!now || now.bytes.equals(bytes)) return undefined;
  const { path, how } = file;
  const block = await lineDiff(path, bytes.toString(), now.bytes.toString(), { maxLines: MAX_SHOWN_LINES, context: 0 });
  const seen = { path, how, sizeBytes: now.bytes.length, sha256: await sha256(now.bytes), mtimeMs: now.mtimeMs };
  const about = `[${displayPath(path, cwd)} was then changed by a hook (+${block.added} -${block.removed}), and is now:]`;
  return { file: seen, text: `${about}\n${block.hunks}`, block };
}

/** Undefined if it was removed, is no longer a plain file, or is too large. */
async function readFileState(path: string): Promise<{ bytes: Buffer; mtimeMs: number } | undefined> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    return { bytes: await readFile(path), mtimeMs: stats.mtimeMs };
  } catch {
    return undefined;
  }
}
