import { diskProblem, errorCode } from "@harness/host";
import type { AuditEntry } from "@harness/protocol";
import { linesFromEnd } from "../lines/lines-from-end.ts";
import { type AuditLine, readAuditLine } from "./audit-line.ts";

/** Newest last. `problems`: sentences about everything that could not be read. */
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

/** Counts the decisions in files. Throws file system errors. */
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
  /** Ends whose `decided` line has not been read yet; it precedes them in the file. */
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
