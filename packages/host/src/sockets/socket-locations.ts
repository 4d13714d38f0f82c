import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { removeIfThere } from "../files/atomic-write.ts";
import { realPathOrSame } from "../files/real-path.ts";
import { folderProblem, needSocketPath, openSocketFolder, SocketFolderError, socketFolderOf } from "./socket-folder.ts";

/**
 * The places of the sockets of all servers that work with one configuration folder. A socket is named after its
 * process: who finds a process in a lock finds its socket without trusting a path that a file names.
 */
export class SocketLocations {
  readonly folder: string;
  /** The lock of the server that has no window (`harness serve --listen`). */
  readonly lock: string;
  readonly #prefix: string;

  constructor(env: Readonly<Record<string, string | undefined>>, configRoot: string) {
    this.folder = socketFolderOf(env);
    this.#prefix = createHash("sha256").update(realPathOrSame(configRoot)).digest("hex").slice(0, 10);
    this.lock = join(this.folder, `${this.#prefix}.lock`);
  }

  /** The path for a socket of this process, which is free. Throws a `SocketFolderError`. */
  own(): string {
    const path = needSocketPath(this.#at(process.pid));
    this.open();
    // Of a process that had the same id.
    removeIfThere(path);
    return path;
  }

  /** Makes the folder. Throws a `SocketFolderError`. */
  open(): void {
    openSocketFolder(this.folder);
  }

  /** The socket of a process, if it has one. Throws a `SocketFolderError` if the folder is not safe. */
  of(pid: number): string | undefined {
    return this.all().find((each) => each.pid === pid)?.path;
  }

  /** The sockets of processes that still run; those of ended ones are removed. Throws a `SocketFolderError`. */
  all(): { pid: number; path: string }[] {
    const problem = folderProblem(this.folder);
    if (problem !== undefined) throw new SocketFolderError(problem);
    return namesIn(this.folder)
      .map((name) => ({ name, pid: Number(/^[0-9a-f]{10}-(\d{1,10})\.sock$/.exec(name)?.[1]) }))
      .filter(({ name, pid }) => pid > 0 && (isRunning(pid) || !removed(join(this.folder, name))))
      .filter(({ name, pid }) => join(this.folder, name) === this.#at(pid))
      .map(({ pid }) => ({ pid, path: this.#at(pid) }));
  }

  #at(pid: number): string {
    return join(this.folder, `${this.#prefix}-${pid}.sock`);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No server has ever listened.
    return [];
  }
}

function removed(path: string): true {
  removeIfThere(path);
  return true;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
