import { closeSync, constants, fstatSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { makePrivateFolder, openRegularFile } from "@harness/host";
import type { ConfigPaths } from "./config-paths.ts";
import { redact } from "./secrets/redact.ts";

export type LogLevel = "debug" | "info" | "warning" | "error";

/** The log that developers read after a failure. Never throws, whatever the disk does. */
export type LogFile = {
  /** `where` names the part of the program; `detail` may be an error or any value. */
  write(level: LogLevel, where: string, detail: unknown): void;
  /** Never appears in the file from now on. */
  addSecret(value: string): void;
};

const MAX_BYTES = 1024 * 1024;
const MAX_ENTRY = 64 * 1024;
const OLD_FILES = 2;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/** `logs/harness.log`, 1 MB, with two older ones. Nothing is on disk before the first entry. */
export function openLogFile(configPaths: Pick<ConfigPaths, "logs">): LogFile {
  const secrets = new Set<string>();
  const file = new RotatingFile(join(configPaths.logs, "harness.log"));
  return {
    write(level, where, detail) {
      try {
        const text = typeof detail === "string" ? detail : inspect(detail, { depth: 4, breakLength: 120 });
        const entry = `${level} ${where}: ${text}`.slice(0, MAX_ENTRY).replaceAll("\n", "\n    ");
        file.append(`${new Date().toISOString()} ${process.pid} ${redact(entry, secrets)}\n`);
      } catch {
        // A log that cannot be written must not be the second thing that fails.
      }
    },
    addSecret(value) {
      secrets.add(value);
    },
  };
}

/** Several processes may append to the same files. */
class RotatingFile {
  readonly #path: string;
  #fd: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  append(text: string): void {
    const bytes = Buffer.from(text);
    let fd = this.#current();
    if (fstatSync(fd).size + bytes.length > MAX_BYTES) {
      this.#close();
      this.#putAway();
      fd = this.#current();
    }
    writeSync(fd, bytes);
  }

  /** Another process may have rotated the file, or a person removed it: then the new one is opened. */
  #current(): number {
    if (this.#fd !== undefined && !this.#isInPlace(this.#fd)) this.#close();
    if (this.#fd === undefined) {
      makePrivateFolder(dirname(this.#path));
      this.#fd = openRegularFile(this.#path, APPEND, 0o600);
    }
    return this.#fd;
  }

  #isInPlace(fd: number): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino;
  }

  #putAway(): void {
    for (let age = OLD_FILES; age > 0; age -= 1) {
      const from = age === 1 ? this.#path : `${this.#path}.${age - 1}`;
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${this.#path}.${age}`);
    }
  }

  #close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) closeSync(fd);
  }
}
