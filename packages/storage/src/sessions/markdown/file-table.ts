import { join } from "node:path";
import { isRecord, readRegularFile, replaceOwnFile } from "@harness/host";
import { realDisk } from "../disk.ts";
import type { FileProblem } from "./compare-files.ts";

/** Which file a message is in, and the state in which that was last read or written. */
type FileRow = { name: string; stamp: string };
/** Null: its file has been put aside, or could not be written. Undefined: nothing is known. */
type RowChange = readonly [factSeq: number, row: FileRow | null | undefined];

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The files of messages as they were last seen, by the facts of the messages. With it only changed files are read, and a file
 * that a killed process has left does not count as an edit. It may be deleted.
 */
export class FileTable {
  readonly #path: string;
  readonly #rows = new Map<number, FileRow | null>();
  /** The problems of files that were reported. */
  readonly #told = new Map<string, string>();
  /** The pictures of messages, as they were last seen. */
  readonly #pictures = new Map<string, string>();
  #conf: Readonly<Record<string, string>> | undefined;
  /** Its last line may have no end. */
  #isTorn: boolean;

  /** Never throws: without the file, all messages are read. */
  constructor(sidecar: string) {
    this.#path = join(sidecar, "files.jsonl");
    const lines = linesIn(this.#path);
    this.#isTorn = (lines.at(-1) ?? "") !== "";
    for (const line of lines) this.#take(line);
  }

  /** `session.conf` as it was last written or taken in; undefined: nothing is known. */
  get conf(): Readonly<Record<string, string>> | undefined {
    return this.#conf;
  }

  /** Never throws. */
  noteConf(conf: Readonly<Record<string, string>>): void {
    if (JSON.stringify(conf) === JSON.stringify(this.#conf)) return;
    this.#conf = conf;
    this.#append({ conf });
  }

  row(factSeq: number): FileRow | null | undefined {
    return this.#rows.get(factSeq);
  }

  /** True if these are the files that it has, as they were last seen. */
  isOf(files: readonly FileRow[]): boolean {
    const rows = [...this.#rows.values()].filter((row) => row !== null);
    const stamps = new Map(rows.map(({ name, stamp }) => [name, stamp]));
    return files.length === rows.length && files.every(({ name, stamp }) => stamps.get(name) === stamp);
  }

  /** True if these are the pictures that it has, as they were last seen. */
  hasPictures(stamps: ReadonlyMap<string, string>): boolean {
    return (
      stamps.size === this.#pictures.size && [...stamps].every(([name, stamp]) => this.#pictures.get(name) === stamp)
    );
  }

  /** Never throws. */
  notePictures(stamps: ReadonlyMap<string, string>): void {
    for (const [picture, stamp] of stamps) {
      if (this.#pictures.get(picture) === stamp) continue;
      this.#pictures.set(picture, stamp);
      this.#append({ picture, stamp });
    }
  }

  /** As `notePictures`; those that are missing are forgotten. */
  noteAllPictures(stamps: ReadonlyMap<string, string>): void {
    for (const picture of [...this.#pictures.keys()].filter((name) => !stamps.has(name))) {
      this.#pictures.delete(picture);
      this.#append({ picture });
    }
    this.notePictures(stamps);
  }

  isTold(problem: FileProblem): boolean {
    return this.#told.get(problem.name) === toldOf(problem);
  }

  tell(problems: readonly FileProblem[]): void {
    for (const problem of problems) {
      this.#told.set(problem.name, toldOf(problem));
      this.#append({ name: problem.name, told: toldOf(problem) });
    }
  }

  /** Never throws. */
  note(changes: readonly RowChange[]): void {
    for (const [factSeq, row] of changes) {
      if (JSON.stringify(this.#rows.get(factSeq)) === JSON.stringify(row)) continue;
      this.#set(factSeq, row);
      this.#append({ seq: factSeq, ...(row === undefined ? {} : { file: row }) });
    }
  }

  /** Writes it anew without what no longer counts. Never throws. */
  rewrite(changes: readonly RowChange[]): void {
    this.#rows.clear();
    for (const [factSeq, row] of changes) this.#set(factSeq, row);
    const rows = Array.from(this.#rows, ([seq, file]) => JSON.stringify({ seq, file }));
    const told = Array.from(this.#told, ([name, how]) => JSON.stringify({ name, told: how }));
    const pictures = Array.from(this.#pictures, ([picture, stamp]) => JSON.stringify({ picture, stamp }));
    const conf = this.#conf === undefined ? [] : [JSON.stringify({ conf: this.#conf })];
    try {
      replaceOwnFile(this.#path, [...rows, ...told, ...pictures, ...conf, ""].join("\n"));
    } catch {
      // The messages are read when it is opened again.
    }
  }

  #set(factSeq: number, row: FileRow | null | undefined): void {
    if (row === undefined) this.#rows.delete(factSeq);
    else this.#rows.set(factSeq, row);
  }

  #take(line: string): void {
    try {
      const { seq, file, name, told, conf, picture, stamp: seen } = Object(JSON.parse(line));
      if (typeof picture === "string") this.#takePicture(picture, seen);
      if (isRecord(conf)) this.#conf = textsIn(conf);
      if (typeof name === "string" && typeof told === "string") this.#told.set(name, told);
      if (typeof seq !== "number") return;
      const { name: own, stamp } = Object(file);
      const isRow = typeof own === "string" && typeof stamp === "string";
      this.#set(seq, isRow ? { name: own, stamp } : file === null ? null : undefined);
    } catch {
      // A line that was being written.
    }
  }

  #takePicture(name: string, stamp: unknown): void {
    if (typeof stamp === "string") this.#pictures.set(name, stamp);
    else this.#pictures.delete(name);
  }

  #append(line: object): void {
    const begin = this.#isTorn ? "\n" : "";
    const bytes = Buffer.from(`${begin}${JSON.stringify(line)}\n`);
    this.#isTorn = true;
    try {
      const fd = realDisk.open(this.#path);
      try {
        for (let from = 0; from < bytes.length; ) from += realDisk.write(fd, bytes, from, bytes.length - from);
      } finally {
        realDisk.close(fd);
      }
      this.#isTorn = false;
    } catch {
      // The file is read when the session is opened again.
    }
  }
}

function textsIn(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

function toldOf({ stamp, text }: FileProblem): string {
  return `${stamp} ${text}`;
}

function linesIn(path: string): string[] {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false }).toString("utf8").split("\n");
  } catch {
    return [];
  }
}
