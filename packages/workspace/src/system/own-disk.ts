import { statfs } from "node:fs/promises";

/**
 * File systems that involve no other machine or program, by their Linux numbers (statfs(2)): ext, XFS, Btrfs, bcachefs,
 * F2FS, ZFS, overlayfs, tmpfs and ramfs. Other systems use different numbers.
 */
const OF_THIS_MACHINE = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xca451a4e, 0xf2f52010, 0x2fc12fc1, 0x794c7630, 0x01021994, 0x858458f6,
]);

/**
 * True if the folder is certainly on a disk or in the memory of this machine, so that accessing it never waits for
 * anybody.
 */
export async function isOnOwnDisk(path: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  try {
    return OF_THIS_MACHINE.has((await statfs(path)).type);
  } catch {
    return false;
  }
}
