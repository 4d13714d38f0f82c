import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { diskProblem } from "@harness/host";
import type { StreamLine } from "./stream-lines.ts";

/** If the disk is this far behind, the rest of the turn is dropped. */
const MAX_WAITING_CHARACTERS = 8_000_000;
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const BEHIND: StreamLine = { type: "error", message: "The disk is too slow: the rest of this turn is missing here." };

/** `.stream` in the folder of a session. Nothing waits for it. */
export class StreamFile {
  readonly path: string;
  readonly #onProblem: (problem: string) => void;
  #handle: FileHandle | undefined;
  #work: Promise<void> = Promise.resolve();
  #waiting: StreamLine[] = [];
  #waitingCharacters = 0;
  #isBehind = false;
  /** The file is not touched until the next turn. */
  #hasFailed = false;

  constructor(folder: string, onProblem: (problem: string) => void) {
    this.path = join(folder, ".stream");
    this.#onProblem = onProblem;
  }

  /** Empties the file for a turn. */
  begin(): void {
    this.#then(async () => {
      this.#isBehind = false;
      this.#hasFailed = false;
      await this.#handle?.close();
      this.#handle = undefined;
      this.#handle = await openedFile(this.path);
      await this.#handle.truncate(0);
    });
  }

  write(lines: readonly StreamLine[]): void {
    for (const line of lines) {
      const isPast = this.#waitingCharacters > MAX_WAITING_CHARACTERS;
      if (isPast && line.type !== "done") {
        if (!this.#isBehind) this.#waiting.push(BEHIND);
        this.#isBehind = true;
        continue;
      }
      this.#waiting.push(line);
      this.#waitingCharacters += "text" in line ? line.text.length : 0;
    }
    if (this.#waiting.length > 0) this.#then(() => this.#writeWaiting());
  }

  /** After the last line of a turn. */
  end(): void {
    this.#then(async () => {
      await this.#handle?.close();
      this.#handle = undefined;
    });
  }

  /** Resolves when everything so far is written. Never rejects. */
  settled(): Promise<void> {
    return this.#work;
  }

  async #writeWaiting(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#waitingCharacters = 0;
    if (lines.length === 0 || this.#hasFailed) return;
    await this.#handle?.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      this.#onProblem(diskProblem(error, "write what happens to the session's .stream", this.path));
    });
  }
}

/** Agents may write in a session's folder: follows no link, and never waits for the reader of a pipe. */
async function openedFile(path: string): Promise<FileHandle> {
  const handle = await open(path, FLAGS, 0o600);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error("it is not a regular file");
    if (stats.nlink > 1) throw new Error("it has other names: writing to it would change another file");
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
