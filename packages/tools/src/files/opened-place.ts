import { closeSync, constants, openSync, readlinkSync, realpathSync } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "@harness/host";

/** Up to this many folders, checking each of them costs less than opening one. */
const MAX_FEW_FOLDERS = 40;

/** The path of an open descriptor, which stays valid whatever is renamed; only Linux has such paths. */
const descriptorPath = (fd: number) => `/proc/self/fd/${fd}`;

function placeOf(fd: number): string | undefined {
  try {
    return readlinkSync(descriptorPath(fd));
  } catch {
    return undefined;
  }
}

/**
 * True if an open file or folder is still at the approved path, or if the system cannot tell. A folder above it may
 * have become a link between check and open. Ignores case, because some file systems report names in a different case
 * than requested.
 */
export function liesAt(fd: number, realPath: string): boolean {
  const place = placeOf(fd);
  return place === undefined || foldCase(place) === foldCase(realPath);
}

function foldCase(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** A folder to write files into, held by its descriptor if the system supports that. */
export type PinnedFolder = {
  /** The path of an entry in it. */
  entry(name: string): string;
  /** True if its path still leads to it. */
  isInPlace(): boolean;
  close(): void;
};

/** Undefined: the path is not a folder, or leads through links. Throws disk errors. */
export function pinFolder(realPath: string): PinnedFolder | undefined {
  const fd = openFolder(realPath);
  if (fd === undefined) return undefined;
  const isInPlace = () => realpathSync(realPath) === realPath && liesAt(fd, realPath);
  let isHeld = false;
  try {
    isHeld = isInPlace();
  } finally {
    if (!isHeld) closeSync(fd);
  }
  if (!isHeld) return undefined;
  const base = placeOf(fd) === undefined ? realPath : descriptorPath(fd);
  return { entry: (name) => join(base, name), isInPlace, close: () => closeSync(fd) };
}

function openFolder(realPath: string): number | undefined {
  try {
    return openSync(realPath, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    // A link, or a file.
    if (["ELOOP", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** A folder that is open for listing. */
export type OpenFolder = {
  /** Its real location. */
  realPath: string;
  /** The path to list it by, which leads to this folder even if it is renamed or replaced. */
  path: string;
  close(): Promise<void>;
};

/**
 * Opens a folder, following links. An open folder knows its location, while `realpath` checks every folder above for
 * each folder below, which takes minutes in deep trees. Throws disk errors.
 */
export async function openRealFolder(path: string): Promise<OpenFolder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK);
  const close = () => handle.close();
  try {
    const place = placeOf(handle.fd);
    if (place !== undefined) return { realPath: place, path: descriptorPath(handle.fd), close };
    const realPath = await realpath(path);
    return { realPath, path: realPath, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The real location of a folder. One that may be entered but not listed is resolved the slow way. */
export async function realFolder(path: string): Promise<string> {
  try {
    const folder = await openRealFolder(path);
    await folder.close();
    return folder.realPath;
  } catch {
    return realpath(path);
  }
}

/** The same as `realpath`, in time linear in the depth. Throws disk errors. */
export async function realPathOfFile(path: string): Promise<string> {
  if (path.split("/").length <= MAX_FEW_FOLDERS) return realpath(path);
  const target = join(await realFolder(dirname(path)), basename(path));
  return (await lstat(target)).isSymbolicLink() ? realpath(path) : target;
}
