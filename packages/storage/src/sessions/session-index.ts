import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { diskProblem, errorCode, readRegularFile, sweepDrafts, writeAtomically } from "@harness/host";
import { scanLog } from "./log-scan.ts";
import { asDatedDigest, type DatedDigest, readMeta } from "./meta-file.ts";
import type { SessionDigest } from "./session-digest.ts";
import { type SessionFolder, sessionFolder } from "./session-folder.ts";
import { isSessionId } from "./session-id.ts";

const INDEX_VERSION = 2;
/** A hundred thousand sessions. */
const MAX_BYTES = 64 * 1024 * 1024;
/** So many sessions must have changed before the index is worth writing: a few are read again as fast. */
const WORTH_WRITING = 32;
/** Other work of the process gets a turn after this long. */
const SLICE_MS = 8;

/** A session whose log cannot be read; `digest` is from `meta.json`. */
type UnreadableSession = { sessionId: string; digest?: SessionDigest; problem: string };
/** `problem`: why the folder of all sessions cannot be read. */
export type IndexedSessions = { readable: SessionDigest[]; unreadable: UnreadableSession[]; problem?: string };

/**
 * The digests of all sessions. Each is checked against the size and time of its log; only what has changed is read
 * again: from `meta.json` if that is up to date, else from the log. `.index.json` keeps them over restarts; it may be
 * deleted at any time.
 */
export class SessionIndex {
  readonly #root: string;
  readonly #path: string;
  #known: Map<string, DatedDigest> | undefined;
  #changed = 0;

  constructor(root: string) {
    this.#root = root;
    this.#path = join(root, ".index.json");
  }

  /** In no particular order. */
  async all(): Promise<IndexedSessions> {
    const before = this.#known ?? readIndex(this.#path);
    const now = new Map<string, DatedDigest>();
    const unreadable: UnreadableSession[] = [];
    let sliceEnd = performance.now() + SLICE_MS;
    const ids = sessionIds(this.#root);
    for (const sessionId of ids.found) {
      const dated = this.#fresh(sessionId, before.get(sessionId));
      if (dated && "problem" in dated) unreadable.push(dated);
      else if (dated) now.set(sessionId, dated);
      if (performance.now() < sliceEnd) continue;
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.#known = now;
    if (this.#changed >= WORTH_WRITING) this.#write(now);
    const readable = Array.from(now.values(), ({ digest }) => digest);
    return { readable, unreadable, ...(ids.problem === undefined ? {} : { problem: ids.problem }) };
  }

  /** Undefined for a folder without a log. */
  #fresh(sessionId: string, known: DatedDigest | undefined): DatedDigest | UnreadableSession | undefined {
    const folder = sessionFolder(join(this.#root, sessionId));
    try {
      return this.#read(sessionId, folder, known);
    } catch (error) {
      const digest = readMeta(folder.meta)?.digest ?? known?.digest;
      const problem = diskProblem(error, `read session ${sessionId}`, folder.log);
      return { sessionId, ...(digest && { digest }), problem };
    }
  }

  #read(sessionId: string, folder: SessionFolder, known: DatedDigest | undefined): DatedDigest | undefined {
    const stat = statSync(folder.log, { throwIfNoEntry: false });
    if (!stat) return undefined;
    if (!stat.isFile()) throw new Error("it is not a regular file");
    const fits = (dated: DatedDigest | undefined): boolean =>
      dated?.sizeBytes === stat.size && dated.modifiedMs === stat.mtimeMs;
    if (fits(known)) return known;
    this.#changed += 1;
    const meta = readMeta(folder.meta);
    if (fits(meta)) return meta;
    // Power was lost, on some file systems: what else is known of the session is in meta.json.
    if (stat.size === 0 && meta && meta.digest.turns > 0) return emptied(meta, stat.mtimeMs);
    const newest = (meta?.readBytes ?? 0) > (known?.readBytes ?? 0) ? meta : known;
    return scanLog(sessionId, folder, newest);
  }

  #write(known: Map<string, DatedDigest>): void {
    this.#changed = 0;
    try {
      const content = JSON.stringify({ version: INDEX_VERSION, sessions: [...known.values()] });
      sweepDrafts(this.#root);
      writeAtomically(this.#path, content);
    } catch {
      // The next process reads the sessions one by one.
    }
  }
}

function emptied(meta: DatedDigest, modifiedMs: number): DatedDigest {
  const damage = { ...meta.digest.damage, emptied: true as const };
  return { sizeBytes: 0, modifiedMs, readBytes: 0, digest: { ...meta.digest, damage } };
}

/** The names of all folders that can be sessions; `problem`: why they cannot be listed. */
export function sessionIds(root: string): { found: string[]; problem?: string } {
  try {
    return { found: readdirSync(root).filter(isSessionId) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { found: [] };
    return { found: [], problem: diskProblem(error, "list the stored sessions", root) };
  }
}

function readIndex(path: string): Map<string, DatedDigest> {
  const known = new Map<string, DatedDigest>();
  try {
    const value = JSON.parse(readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false }).toString("utf8")) as {
      version?: unknown;
      sessions?: unknown;
    } | null;
    if (value?.version !== INDEX_VERSION || !Array.isArray(value.sessions)) return known;
    for (const each of value.sessions) {
      const dated = asDatedDigest(Object(each));
      if (dated) known.set(dated.digest.sessionId, dated);
    }
  } catch {
    // Missing or damaged: made again from the sessions.
  }
  return known;
}
