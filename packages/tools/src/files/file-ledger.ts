import type { FileLedger, FileStamp } from "@harness/core";

export function createFileLedger(): FileLedger {
  const stamps = new Map<string, FileStamp>();
  return {
    seen: (realPath) => stamps.get(realPath),
    record(realPath, stamp) {
      stamps.set(realPath, stamp);
    },
  };
}
