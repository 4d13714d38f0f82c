import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import { errorCode, isRecord, jsonValue, PrivateLog, readRegularFile } from "@harness/host";

/** A line: a text that others name by its hash, or anything that names some. */
type TextLine = { text: string; sha256: string };

export type RequestLines = {
  /** In their order; of any shape, because anybody may have written them. */
  entries: Readonly<Record<string, unknown>>[];
  texts: ReadonlyMap<string, string>;
  /** Lines that cannot be read, such as one that a kill has cut. */
  bad: number;
};

const MAX_BYTES = 256 * 1024 * 1024;

/** The file with a session's requests is beside its log. Undefined: the session leaves nothing behind. */
export function requestFilePath(savedTexts: readonly string[]): string | undefined {
  const [own] = savedTexts;
  return own === undefined ? undefined : join(dirname(own), "requests.jsonl");
}

/**
 * The record of one session's requests, beside its log. Each text is in it once, under its hash,
 * however many requests have it. Only ever appended.
 */
export class RequestFile {
  readonly #path: string;
  readonly #log: PrivateLog;
  /** The hashes of its texts; read when the first one comes. */
  #known: Set<string> | undefined;
  /** Texts that are written with the next entry, by their hash. */
  readonly #waiting = new Map<string, string>();

  constructor(path: string) {
    this.#path = path;
    this.#log = new PrivateLog(path);
  }

  /** The name of a text, which is stored with the next entry unless it is there. Throws file system errors. */
  keep(text: string): string {
    const sha256 = textHash(text);
    this.#known ??= new Set(readRequestFile(this.#path).texts.keys());
    if (!this.#known.has(sha256)) this.#waiting.set(sha256, text);
    return sha256;
  }

  /** Writes the entry and the texts that it names at once. Throws file system errors; nothing is stored then. */
  append(entry: object): void {
    const texts = [...this.#waiting].map(([sha256, text]): TextLine => ({ text, sha256 }));
    this.#log.append([...texts, entry].map((line) => JSON.stringify(line)).join("\n"));
    for (const { sha256 } of texts) this.#known?.add(sha256);
    this.#waiting.clear();
  }
}

/** Reads all whole lines. A text that is not what its name says is left out. Throws file system errors. */
export function readRequestFile(path: string): RequestLines {
  const entries: RequestLines["entries"] = [];
  const texts = new Map<string, string>();
  let bad = 0;
  for (const line of linesOf(path)) {
    const value = jsonValue(line);
    if (!isRecord(value) || (isText(value) && textHash(value.text) !== value.sha256)) bad += 1;
    else if (isText(value)) texts.set(value.sha256, value.text);
    else entries.push(value);
  }
  return { entries, texts, bad };
}

function linesOf(path: string): string[] {
  try {
    const bytes = readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false });
    return bytes
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function isText(value: Readonly<Record<string, unknown>>): value is TextLine {
  return typeof value.text === "string" && typeof value.sha256 === "string";
}

export function textHash(text: string): string {
  return hash("sha256", text);
}
