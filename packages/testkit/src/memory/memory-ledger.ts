import type { FileLedger, FileStamp } from "@harness/core";

/** A ledger in which a file counts as seen at once. */
export class MemoryLedger implements FileLedger {
  readonly #stamps = new Map<string, FileStamp>();

  seen(realPath: string): FileStamp | undefined {
    return this.#stamps.get(realPath);
  }

  record(realPath: string, stamp: FileStamp | undefined): void {
    if (stamp) this.#stamps.set(realPath, stamp);
    else this.#stamps.delete(realPath);
  }
}
