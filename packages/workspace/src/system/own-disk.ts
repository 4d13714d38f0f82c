import { statfs } from "node:fs/promises";

/**
 * Kinds of file systems that ask no other machine and no other program, by their numbers in Linux (statfs(2)): ext, XFS,
 * Btrfs, bcachefs, F2FS, ZFS, overlayfs, tmpfs and ramfs. Other systems number theirs otherwise.
 */
const OF_THIS_MACHINE = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xca451a4e, 0xf2f52010, 0x2fc12fc1, 0x794c7630, 0x01021994, 0x858458f6,
]);

/** Is the folder surely on a disk, or in the memory, of this machine, so that looking at it never waits for anybody? */
export async function isOnOwnDisk(path: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  try {
    return OF_THIS_MACHINE.has((await statfs(path)).type);
  } catch {
    return false;
  }
}
