import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import type { FileLedger, FileStamp } from "@harness/core";
import { errorCode, realPathOf } from "@harness/host";
import { byteSize } from "@harness/protocol";
import type { BufferLook } from "../buffers/file-buffers.ts";
import { displayPath } from "./absolute-path.ts";
import { sha256 } from "./digest.ts";
import { fileProblem } from "./file-problem.ts";
import { type PathOptions, strayed } from "./judged-path.ts";
import { type OpenRefusal, openFile, regularFile, writtenAt } from "./open-file.ts";
import { MAX_WHOLE_BYTES } from "./read-text.ts";
import { linesText } from "./seen-lines.ts";

/** The current state of a file that is about to be changed. */
export type ExistingFile = BufferLook & { realPath: string; bytes: Buffer; stats: BigIntStats; stamp: FileStamp };
/** A file about to be created; its parent folders may be missing too. */
export type NewFile = { realPath: string; bytes?: undefined; stamp?: undefined };

/** Finds the file that a path to write leads to, following links, with its content. */
export async function targetFile(path: string, options: PathOptions): Promise<ExistingFile | NewFile | OpenRefusal> {
  const found = await regularFile(path, options);
  if (found === "missing")
    return isOfWindows(displayPath(path, options.cwd)) ? foreignPath(path, options) : newFile(path, options);
  return "problem" in found ? found : existingFile(path, options);
}

/** Used as a name, such a path would create an odd file in the current folder. */
function isOfWindows(shown: string): boolean {
  return process.platform !== "win32" && /^[A-Za-z]:[\\/]/.test(shown);
}

function foreignPath(path: string, { cwd }: PathOptions): OpenRefusal {
  const shown = displayPath(path, cwd);
  return { problem: `There is no ${shown}: this system has no drives. Write a path below ${cwd}.` };
}

export async function existingFile(path: string, options: PathOptions): Promise<ExistingFile | OpenRefusal> {
  const file = await openFile(path, options);
  if ("problem" in file) return file;
  const shown = displayPath(path, options.cwd);
  try {
    if (file.sizeBytes > MAX_WHOLE_BYTES) {
      return { problem: `${shown} is too large to be changed here (${byteSize(file.sizeBytes)}): use bash.` };
    }
    const bytes = await file.handle.readFile();
    const stamp = { ...writtenAt(file), sizeBytes: bytes.length, sha256: await sha256(bytes) };
    const { realPath, stats, buffer, note } = file;
    return { realPath, bytes, stats, stamp, ...(buffer ? { buffer } : {}), ...(note === undefined ? {} : { note }) };
  } catch (error) {
    return { problem: `Cannot read ${shown}: ${fileProblem(error)}.` };
  } finally {
    await file.handle.close();
  }
}

/** Why this file must not be changed yet: it was not read, or has changed since. Content decides, not dates. */
export function blindChange(file: ExistingFile, ledger: FileLedger, shown: string): string | undefined {
  const seen = ledger.seen(file.realPath);
  if (!seen) return `${shown} exists, and you have not read it in this session: read it first.`;
  if (seen.sizeBytes === file.stamp.sizeBytes && seen.sha256 === file.stamp.sha256) return undefined;
  const where = file.buffer?.isUnsaved ? "in the person's editor" : "on disk";
  return `${shown} has changed ${where} since you last read it: read it again, then repeat the change on what is there.`;
}

/** The same check for a file that is replaced completely. */
export function blindReplacement(file: ExistingFile, ledger: FileLedger, shown: string): string | undefined {
  const lines = ledger.seen(file.realPath)?.lines;
  const blind = blindChange(file, ledger, shown);
  if (blind !== undefined || !lines) return blind;
  return `You have only read lines ${linesText(lines)} of ${shown}: read the others with offset and limit before you replace it.`;
}

async function newFile(path: string, options: PathOptions): Promise<NewFile | OpenRefusal> {
  const { cwd } = options;
  try {
    // A dangling link: writing through it would create a file in a place that was not approved.
    if ((await lstat(path)).isSymbolicLink()) {
      return {
        problem: `${displayPath(path, cwd)} is a link to something that does not exist: remove the link first.`,
      };
    }
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT") return { problem: `Cannot write ${displayPath(path, cwd)}: ${fileProblem(error)}.` };
  }
  const realPath = await realPathOf(path);
  const stray = strayed(path, realPath, options);
  return stray ? { problem: stray } : { realPath };
}
