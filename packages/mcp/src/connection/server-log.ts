import type { McpLog, McpSecrets } from "../ports/pool-ports.ts";

const LAST_LINES = 20;
const MAX_LINE = 2_000;
/** Per server; a server that floods is cut short, with a note. */
const MAX_LINES_A_SECOND = 200;

/** The lines of one server: the file has many, this keeps the last ones for an error message. */
export class ServerLog {
  readonly #log: McpLog;
  readonly #secrets: Pick<McpSecrets, "hide">;
  readonly #now: () => number;
  #last: string[] = [];
  #rest = "";
  #second = 0;
  #count = 0;

  constructor(log: McpLog, secrets: Pick<McpSecrets, "hide">, now: () => number) {
    this.#log = log;
    this.#secrets = secrets;
    this.#now = now;
  }

  /** Text as it arrives, in pieces. */
  text(piece: string): void {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, MAX_LINE);
    for (const line of lines) this.line(line);
  }

  line(line: string): void {
    if (line.trim() === "") return;
    const cut = line.slice(0, MAX_LINE);
    this.#last = [...this.#last.slice(1 - LAST_LINES), cut];
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) {
      const left = this.#count - MAX_LINES_A_SECOND;
      if (left > 0) this.#append(`(${left} more lines within a second)`);
      this.#second = second;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= MAX_LINES_A_SECOND) this.#append(cut);
  }

  /** The last lines, including an unfinished one. */
  tail(count: number): string {
    const all = this.#rest.trim() === "" ? this.#last : [...this.#last, this.#rest];
    return all.slice(-count).join("\n");
  }

  #append(line: string): void {
    this.#log.append(this.#secrets.hide(line));
  }
}
