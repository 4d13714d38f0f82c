import { createHmac, randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { errorCode, makePrivateFolder, othersProblem, readRegularFile, writeNewFile } from "@harness/host";

const KEY_BYTES = 32;

/**
 * Tells sessions that began here from sessions that may come from elsewhere. A checksum shows that a line is complete,
 * not who wrote it: facts of foreign sessions are checked against their schemas, which takes time that our own need not
 * spend.
 */
export class OwnSessions {
  readonly #path: string;
  #key: Buffer | undefined;

  constructor(root: string) {
    this.#path = join(root, ".key");
  }

  /** Goes into the header of a new session. Undefined where no key can be kept: its facts will be checked. */
  sign(sessionId: string): string | undefined {
    try {
      const key = this.#read() ?? this.#make();
      return key && signature(key, sessionId);
    } catch {
      return undefined;
    }
  }

  /** Never throws. */
  hasBegun(sessionId: string, header: { by?: string } | undefined): boolean {
    if (header?.by === undefined) return false;
    try {
      const key = this.#read();
      return key !== undefined && header.by === signature(key, sessionId);
    } catch {
      return false;
    }
  }

  #read(): Buffer | undefined {
    if (this.#key) return this.#key;
    const key = readKey(this.#path);
    this.#key = key;
    return key;
  }

  #make(): Buffer | undefined {
    makePrivateFolder(dirname(this.#path));
    try {
      writeNewFile(this.#path, randomBytes(KEY_BYTES));
    } catch (error) {
      // Another process has made it meanwhile.
      if (errorCode(error) !== "EEXIST") throw error;
    }
    return this.#read();
  }
}

/** Undefined where there is none, or where it is not this user's secret. */
function readKey(path: string): Buffer | undefined {
  try {
    const key = readRegularFile(path, {
      maxBytes: KEY_BYTES,
      followLinks: false,
      check: (_fd, stats) => {
        const isOpen = (stats.mode & 0o077) !== 0 || othersProblem(path, stats, "") !== undefined;
        if (isOpen) throw new Error("others know it");
      },
    });
    return key.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}

function signature(key: Buffer, sessionId: string): string {
  return createHmac("sha256", key).update(sessionId).digest("hex");
}
