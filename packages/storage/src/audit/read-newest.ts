import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { diskProblem, errorCode } from "@harness/host";
import type { AuditEntry } from "@harness/protocol";
import { type AuditLine, readAuditLine } from "./audit-line.ts";

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;
/** No valid line is longer. */
const MAX_LINE_BYTES = 64 * 1024;

/** Newest last. `problems`: what could not be read, in sentences. */
export type AuditList = { entries: AuditEntry[]; problems: string[] };

/** The newest decisions in files that are given newest first, read from their ends. Never rejects. */
export async function readNewest(paths: readonly string[], last: number, sessionId?: string): Promise<AuditList> {
  const search = new Search(last, sessionId);
  for (const path of paths) {
    try {
      for await (const line of linesFromEnd(path)) {
        search.take(line);
        if (search.isDone) break;
      }
    } catch (error) {
      if (errorCode(error) !== "ENOENT") search.problems.push(diskProblem(error, "read the audit log", path));
    }
    if (search.isDone) break;
  }
  return search.found();
}

/** Counts the decisions in files. Throws what the file system throws. */
export async function countDecisions(paths: readonly string[]): Promise<number> {
  let count = 0;
  for (const path of paths) {
    for await (const line of linesFromEnd(path)) if (line.startsWith('{"kind":"decided"')) count += 1;
  }
  return count;
}

/** Joins lines to entries, newest first. */
class Search {
  readonly problems: string[] = [];
  readonly #last: number;
  readonly #sessionId: string | undefined;
  readonly #entries: AuditEntry[] = [];
  /** Ends whose `decided` line has not been read yet; that line stands before them in the file. */
  readonly #ends = new Map<string, Extract<AuditLine, { kind: "ended" }>>();
  #damaged = 0;

  constructor(last: number, sessionId: string | undefined) {
    this.#last = last;
    this.#sessionId = sessionId;
  }

  get isDone(): boolean {
    return this.#entries.length >= this.#last;
  }

  take(text: string): void {
    if (text === "" || (this.#sessionId !== undefined && !text.includes(this.#sessionId))) return;
    const line = readAuditLine(text);
    if (line === undefined) this.#damaged += 1;
    else if (line.kind === "cleared") {
      this.problems.push(`The log was cleared at ${line.at}; ${entryCount(line.removedEntries)} removed.`);
    } else if (this.#sessionId === undefined || line.sessionId.startsWith(this.#sessionId)) this.#join(line);
  }

  found(): AuditList {
    const damage =
      this.#damaged === 0
        ? []
        : [`${this.#damaged === 1 ? "1 line is" : `${this.#damaged} lines are`} damaged and not shown.`];
    return { entries: this.#entries.reverse(), problems: [...this.problems, ...damage] };
  }

  #join(line: Exclude<AuditLine, { kind: "cleared" }>): void {
    const key = `${line.sessionId} ${line.toolCallId}`;
    if (line.kind === "ended") {
      this.#ends.set(key, line);
      return;
    }
    const { kind: _, ...decided } = line;
    const end = this.#ends.get(key);
    this.#ends.delete(key);
    const { durationMs, status, exitCode } = end ?? {};
    const ending = end ? { durationMs, status, ...(exitCode === undefined ? {} : { exitCode }) } : {};
    this.#entries.push({ ...decided, ...ending });
  }
}

function entryCount(count: number): string {
  return count === 1 ? "1 entry was" : `${count.toLocaleString("en-US")} entries were`;
}

/** Yields the lines of a file from last to first. A last piece without a line end is a line too. */
async function* linesFromEnd(path: string): AsyncGenerator<string> {
  // A named pipe in its place must not hang us.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("it is not a regular file");
    let rest = Buffer.alloc(0);
    for (let end = stat.size; end > 0; ) {
      const start = Math.max(0, end - CHUNK_BYTES);
      const text = Buffer.concat([await readPiece(file, start, end), rest]);
      let lineEnd = text.length;
      for (let at = text.lastIndexOf(NEWLINE); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(NEWLINE, at - 1)) {
        yield text.toString("utf8", at + 1, lineEnd);
        lineEnd = at;
      }
      rest = Buffer.from(text.subarray(0, Math.min(lineEnd, MAX_LINE_BYTES)));
      end = start;
    }
    yield rest.toString("utf8");
  } finally {
    await file.close();
  }
}

async function readPiece(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const piece = Buffer.alloc(end - start);
  const { bytesRead } = await file.read(piece, 0, piece.length, start);
  return piece.subarray(0, bytesRead);
}
