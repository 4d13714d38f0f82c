import { createHmac, randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { errorCode, makePrivateFolder, othersProblem, readRegularFile, writeNewFile } from "@harness/host";

const KEY_BYTES = 32;

/**
 * Distinguishes sessions begun here from sessions that may come from elsewhere. A checksum shows that a line is
 * complete, not who wrote it. So facts of foreign sessions are checked against their schemas, which our own need not
 * spend time on.
 */
export class OwnSessions {
  readonly #path: string;
  #key: Buffer | undefined;

  constructor(root: string) {
    this.#path = join(root, ".key");
  }

  /** For the header of a new session. Undefined if no key can be stored: its facts will be checked. */
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
      // Another process has created it in the meantime.
      if (errorCode(error) !== "EEXIST") throw error;
    }
    return this.#read();
  }
}

/** Undefined if there is none, or if it is not this user's secret. */
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
