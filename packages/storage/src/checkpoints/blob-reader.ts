import type { ChildProcess } from "node:child_process";
import { GitError, type StoreGit } from "./store-git.ts";

/** The earlier content of a file is no longer stored: retrying is pointless. */
export class ContentLostError extends GitError {
  constructor() {
    super("The earlier content of the file is no longer stored.");
  }
}

type WaitingRead = { resolve(bytes: Buffer): void; reject(error: Error): void };

/** Reads stored files one after another through a single process, which `close` ends. */
export class BlobReader {
  readonly #child: ChildProcess;
  readonly #waiting: WaitingRead[] = [];
  #pieces: Buffer[] = [];
  #bytes = 0;
  #failure: GitError | undefined;

  constructor(git: StoreGit) {
    this.#child = git.open(["cat-file", "--batch"]);
    this.#child.on("error", (error) => this.#fail(`git cannot be started: ${error.message}.`));
    // With too many open files, it has no streams.
    this.#child.stdout?.on("data", (piece: Buffer) => {
      this.#pieces.push(piece);
      this.#bytes += piece.length;
      this.#answer();
    });
    this.#child.stderr?.resume();
    this.#child.stdin?.on("error", () => undefined);
    this.#child.on("close", () => this.#fail("git ended before it returned the file."));
  }

  /** The bytes of a stored file; rejects with `GitError` if they are no longer stored. */
  read(oid: string): Promise<Buffer> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin?.write(`${oid}\n`);
    });
  }

  close(): void {
    this.#child.stdin?.end();
  }

  /** `<oid> blob <size>` LF bytes LF, or `<oid> missing` LF (git-cat-file(1), batch output). */
  #answer(): void {
    for (;;) {
      const [first] = this.#waiting;
      if (!first || this.#bytes === 0) return;
      const head = this.#head();
      if (!head) return;
      const { line, length } = head;
      const size = / blob (\d+)$/.exec(line)?.[1];
      if (size === undefined) {
        this.#take(length);
        this.#waiting.shift();
        first.reject(new ContentLostError());
        continue;
      }
      const whole = length + Number(size) + 1;
      if (this.#bytes < whole) return;
      const answer = this.#take(whole);
      this.#waiting.shift();
      first.resolve(answer.subarray(length, whole - 1));
    }
  }

  #head(): { line: string; length: number } | undefined {
    // A header may arrive in pieces, a large file in very many: they are joined only once all have arrived.
    if (this.#pieces[0]?.includes(10) !== true && this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    const end = this.#pieces[0]?.indexOf(10) ?? -1;
    return end < 0 ? undefined : { line: this.#pieces[0]?.toString("latin1", 0, end) ?? "", length: end + 1 };
  }

  #take(bytes: number): Buffer {
    const all = this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const rest = all.subarray(bytes);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#bytes = rest.length;
    return all.subarray(0, bytes);
  }

  #fail(message: string): void {
    this.#failure ??= new GitError(message);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
