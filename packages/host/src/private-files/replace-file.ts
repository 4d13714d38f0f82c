import { constants, copyFileSync, existsSync, linkSync, realpathSync, statSync } from "node:fs";
import { type AtomicWriteOptions, removeIfThere, writeAtomically } from "../files/atomic-write.ts";

type Replacement = {
  /** The file there is not what it should be. */
  broken?: boolean;
  /** Of a new file. */
  mode?: number;
  /** A file that is there keeps its mode. */
  keepMode?: boolean;
};

/**
 * Replaces a file of the person where a link leads to, with the owner of the one that is there. A broken one is kept
 * beside it under another name, which is returned: nothing a person wrote is lost, and at no time is there no file. Throws
 * what the file system throws, and then nothing has changed.
 */
export function replaceFile(
  path: string,
  content: string,
  { broken = false, mode = 0o600, keepMode = false }: Replacement = {},
): string | undefined {
  // People who keep their files elsewhere behind a link keep the link.
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

/** `20261121-143022`, in UTC. */
function timeForName(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
}
