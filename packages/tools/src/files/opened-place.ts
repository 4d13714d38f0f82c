import { closeSync, constants, openSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@harness/host";

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
 * Is an open file or folder still at the approved path? A folder above it may have become a link between the check and
 * the opening. True where the system cannot tell. Compared without case: some file systems report a name in another
 * case than requested.
 */
export function liesAt(fd: number, realPath: string): boolean {
  const place = placeOf(fd);
  return place === undefined || folded(place) === folded(realPath);
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** A folder that files are written into, held by its descriptor where the system supports that. */
export type PinnedFolder = {
  /** The path of something in it. */
  entry(name: string): string;
  /** Does its path still lead to it? */
  isInPlace(): boolean;
  close(): void;
};

/** Undefined: the path is not that of a folder without links. Throws what the disk reports. */
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
