import type { SeenFile } from "@harness/protocol";
import type { FileLedger, FileStamp } from "../../ports/tool.ts";
import type { FileHistory } from "./file-history.ts";

/** The files that one call sees. The agent knows them once the call's outcome is stored. */
export class CallFileLedger implements FileLedger {
  readonly #history: FileHistory;
  readonly #files = new Map<string, SeenFile>();

  constructor(history: FileHistory) {
    this.#history = history;
  }

  get files(): SeenFile[] {
    return [...this.#files.values()];
  }

  seen(path: string): FileStamp | undefined {
    return this.#history.seen(path);
  }

  record(path: string, stamp: FileStamp | undefined, how: "read" | "changed" = "read"): void {
    this.#files.set(path, stamp ? { path, how, ...stamp } : { path, how: "removed" });
  }
}
