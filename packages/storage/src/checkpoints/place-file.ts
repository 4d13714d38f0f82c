import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, putInPlace, replaceIfStill } from "@harness/host";
import { type CurrentFile, sinceOf, statFingerprint } from "./current-file.ts";
import { fillSafely } from "./safe-filling.ts";
import { LINK } from "./tree-diff.ts";

/** Why a file was left unchanged; not a program error. */
export class NotWrittenError extends Error {
  override readonly name = "NotWritten";
}

/** The file was modified between the check and the change. */
export class FileChangedError extends NotWrittenError {
  constructor() {
    super("it was changed at the same moment");
  }
}

/**
 * `temporary`: the name under which it is written until it is complete. `inPlace`: writes into the file itself, so that
 * its hard links are preserved.
 */
type FilePlacement = {
  bytes: Buffer;
  mode: string;
  now: CurrentFile;
  durable: boolean;
  temporary: string;
  inPlace: boolean;
};

/**
 * Writes the file completely or not at all, if it is still in the state `now`. `root` is a real path; nothing is
 * written through a link, and so nothing outside it. Throws `NotWrittenError` and file system errors.
 */
export function placeFile(root: string, path: string, placement: FilePlacement): void {
  const { bytes, mode, now, durable, inPlace } = placement;
  const target = join(root, path);
  const folder = dirname(target);
  makeFolder(root, path);
  needReal(folder);
  if (now.kind === "empty-folder") removeFolders(target);
  const temporary = join(folder, placement.temporary);
  const beforeRename = () => {
    needReal(folder);
    needUnchanged(target, now);
  };
  if (mode === LINK) {
    putInPlace({ path: target, temporary, make: () => symlinkSync(bytes, temporary), beforeRename });
    return;
  }
  const replaced = now.kind === "file" && now.tree.mode !== LINK ? now : undefined;
  if (inPlace && replaced) {
    const isWritten = fillSafely({
      target,
      temporary,
      bytes,
      ino: replaced.ino,
      old: replaced.bytes,
      beforeFill: beforeRename,
    });
    if (!isWritten) throw new FileChangedError();
    const wanted = permissions(mode, replaced.mode);
    if (wanted !== replaced.mode) chmodSync(target, wanted);
    return;
  }
  replaceIfStill(target, bytes, {
    mode: permissions(mode, replaced?.mode),
    ...(replaced ? { owner: replaced } : {}),
    ...(durable ? { durable: "content" as const } : {}),
    temporary,
    beforeRename,
  });
}

/** Removes the file if it is still in the state `now`. */
export function removeFile(root: string, path: string, now: CurrentFile): void {
  const target = join(root, path);
  needReal(dirname(target));
  needUnchanged(target, now);
  unlinkSync(target);
}

/** Removes the empty folders above `path`, up to one that `stays`. */
export function removeEmptyFolders(root: string, path: string, stays: (folder: Folder) => boolean): void {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const folder = path.slice(0, at);
    const full = join(root, folder);
    try {
      if (stays({ name: folder, sinceMs: sinceOf(lstatSync(full)) })) return;
      if (realpathSync.native(full) !== full) return;
      rmdirSync(full);
    } catch {
      // It is not empty or already gone, so no folder above it can be removed either.
      return;
    }
  }
}

/** `name` is relative to the root; `sinceMs` is the latest time at which it may have come into existence. */
type Folder = { name: string; sinceMs: number };

/** Restores whether the owner may execute the file; all other bits stay, or are the defaults of a new file. */
function permissions(mode: string, kept: number | undefined): number {
  if (kept === undefined) return mode === "100755" ? 0o777 : 0o666;
  if (mode !== "100755") return kept & 0o666;
  // Everyone who may read it may run it.
  return kept | ((kept & 0o444) >> 2);
}

/** Creates the folders above a path one by one, and never below a link. */
function makeFolder(root: string, path: string): void {
  const names = path.split("/").slice(0, -1);
  let folder = root;
  for (const name of names) {
    folder = join(folder, name);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat?.isDirectory()) continue;
    if (stat?.isSymbolicLink()) throw new NotWrittenError("a folder above it is a link now");
    if (stat) throw new NotWrittenError("there is a file now where its folder was");
    try {
      mkdirSync(folder);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

/** Removes a folder and those below it. Throws at the first file or link, and leaves it where it is. */
function removeFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) throw new FileChangedError();
    removeFolders(join(folder, entry.name));
  }
  rmdirSync(folder);
}

function needReal(folder: string): void {
  const real = realpathSync.native(folder);
  if (real !== folder) throw new NotWrittenError("a folder above it is a link now");
}

function needUnchanged(path: string, now: CurrentFile): void {
  const mark = now.kind === "file" ? now.mark : "absent";
  if (statFingerprint(path) !== mark) throw new FileChangedError();
}
