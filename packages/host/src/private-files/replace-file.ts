import { constants, copyFileSync, existsSync, linkSync, realpathSync, statSync } from "node:fs";
import { type AtomicWriteOptions, removeIfThere, writeAtomically } from "../files/atomic-write.ts";

type Replacement = {
  /** The existing file is invalid. */
  broken?: boolean;
  /** The mode of a new file. */
  mode?: number;
  /** An existing file keeps its mode. */
  keepMode?: boolean;
};

/**
 * Replaces a file of the user, following links, and keeps its owner. A broken one is kept next to it under a new name,
 * which is returned: nothing the user wrote is lost, and at no time is the file missing. Throws the file system's
 * errors, and then nothing has changed.
 */
export function replaceFile(
  path: string,
  content: string,
  { broken = false, mode = 0o600, keepMode = false }: Replacement = {},
): string | undefined {
  // If the file is a link to elsewhere, the link stays.
  const target = existsSync(path) ? realpathSync(path) : path;
  const copy = broken ? freeName(`${target}.broken-${timeForName()}`) : undefined;
  if (copy !== undefined) keepCopy(target, copy);
  try {
    writeAtomically(target, content, { durable: "name", ...attributesOf(target, mode, keepMode) });
  } catch (error) {
    if (copy !== undefined) removeIfThere(copy);
    throw error;
  }
  return copy;
}

function attributesOf(path: string, mode: number, keepMode: boolean): Pick<AtomicWriteOptions, "mode" | "owner"> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return { mode };
  const { uid, gid } = found;
  return { mode: keepMode ? found.mode & 0o777 : mode, owner: { uid, gid } };
}

/** A second name, which must be free, so that the old file keeps its place until the new one takes it. */
export function keepCopy(path: string, other: string): void {
  try {
    linkSync(path, other);
  } catch {
    // Some file systems have no hard links.
    copyFileSync(path, other, constants.COPYFILE_EXCL);
  }
}

function freeName(path: string): string {
  let free = path;
  for (let number = 2; existsSync(free); number += 1) free = `${path}-${number}`;
  return free;
}

/** For example `20261121-143022`, in UTC. */
function timeForName(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
}
