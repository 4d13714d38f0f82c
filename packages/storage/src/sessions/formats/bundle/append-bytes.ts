import { closeSync, constants, writeSync } from "node:fs";
import { openRegularFile } from "@harness/host";

/** Appends bytes to one of harness's own files, which must exist. Throws file system errors. */
export function appendBytes(path: string, bytes: Buffer): void {
  const fd = openRegularFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  } finally {
    closeSync(fd);
  }
}
