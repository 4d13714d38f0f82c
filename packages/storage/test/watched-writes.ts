import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Each of these changes is there as a whole, or not at all. */
const STEPS = ["renameSync", "linkSync", "unlinkSync", "rmSync", "mkdirSync", "rmdirSync"] as const;

/**
 * Does work and calls `between` after each change that it makes on the disk, and in the middle of each write: what is there
 * then, a process leaves that is killed in this moment.
 */
export function watchWrites(work: () => void, between: () => void): void {
  const { openSync, writeSync, writeFileSync, renameSync, linkSync, unlinkSync, rmSync, mkdirSync, rmdirSync } = fs;
  const own = { openSync, writeSync, writeFileSync, renameSync, linkSync, unlinkSync, rmSync, mkdirSync, rmdirSync };
  let isBetween = false;
  const pause = () => {
    if (isBetween) return;
    isBetween = true;
    between();
    isBetween = false;
  };
  const after =
    <A extends unknown[], R>(step: (...args: A) => R) =>
    (...args: A): R => {
      const done = step(...args);
      pause();
      return done;
    };
  for (const name of STEPS) Object.assign(fs, { [name]: after(own[name] as (...args: unknown[]) => unknown) });
  fs.writeSync = after((fd: number, bytes: Uint8Array, offset: number, length: number) =>
    writeSync(fd, bytes, offset, Math.max(1, Math.ceil(length / 2))),
  ) as typeof fs.writeSync;
  fs.writeFileSync = after((file: number | string, data: string | Buffer, ...options: []) => {
    const bytes = Buffer.from(data);
    const half = bytes.subarray(0, bytes.length / 2);
    own.writeFileSync(file, half, ...options);
    pause();
    own.writeFileSync(file, typeof file === "number" ? bytes.subarray(half.length) : bytes, ...options);
  }) as typeof fs.writeFileSync;
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    Object.assign(fs, own);
    syncBuiltinESMExports();
  }
}
