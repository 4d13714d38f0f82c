import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./file-problem.ts";

/** What is open, as a path that leads to nothing else whatever is renamed; Linux alone has such paths. */
const ofHandle = ({ fd }: FileHandle) => `/proc/self/fd/${fd}`;
const placeOf = (handle: FileHandle) => readlink(ofHandle(handle)).catch(() => undefined);

/**
 * Does an open file or folder lie where it was judged to lie? A folder above it may have become a link between the look
 * and the opening. True where the system does not say. In either case of letters: some file systems know a name in
 * another one than it was asked for.
 */
export async function liesAt(handle: FileHandle, realPath: string): Promise<boolean> {
  const place = await placeOf(handle);
  return place === undefined || folded(place) === folded(realPath);
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** A folder that is worked in: where the system can, by itself and not by its path. */
export type HeldFolder = {
  /** The path of something in it. */
  entry(name: string): string;
  /** Does its path still lead to it? */
  isInPlace(): Promise<boolean>;
  close(): Promise<void>;
};

/** Undefined: the path is not that of a folder without links. Throws what the disk reports. */
export async function holdFolder(realPath: string): Promise<HeldFolder | undefined> {
  const handle = await openFolder(realPath);
  if (!handle) return undefined;
  const isInPlace = async () => (await realpath(realPath)) === realPath && (await liesAt(handle, realPath));
  try {
    if (await isInPlace()) {
      const base = (await placeOf(handle)) === undefined ? realPath : ofHandle(handle);
      return { entry: (name) => join(base, name), isInPlace, close: () => handle.close() };
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

async function openFolder(realPath: string): Promise<FileHandle | undefined> {
  try {
    return await open(realPath, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    // A link, or a file.
    if (["ELOOP", "ENOTDIR"].includes(errorCode(error))) return undefined;
    throw error;
  }
}
