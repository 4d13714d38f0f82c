import { constants, copyFileSync, existsSync, linkSync, realpathSync } from "node:fs";
import { removeIfThere, writeAtomically } from "../files/atomic-write.ts";

/**
 * Replaces a private file. A broken one is kept beside it under another name, which is returned: nothing a person wrote
 * is lost, and at no time is there no file. Throws what the file system throws, and then nothing has changed.
 */
export function replaceFile(path: string, content: string, { broken }: { broken: boolean }): string | undefined {
  // People who keep their files elsewhere behind a link keep the link.
  const target = existsSync(path) ? realpathSync(path) : path;
  const copy = broken ? freeName(`${target}.broken-${timeForName()}`) : undefined;
  if (copy !== undefined) copyTo(target, copy);
  try {
    writeAtomically(target, content, { durable: "name" });
  } catch (error) {
    if (copy !== undefined) removeIfThere(copy);
    throw error;
  }
  return copy;
}

/** A second name, so that the old file keeps its place until the new one takes it. */
function copyTo(path: string, other: string): void {
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
