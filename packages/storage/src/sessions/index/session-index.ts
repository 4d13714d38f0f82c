import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { diskProblem, errorCode, readRegularFile, replaceOwnFile, sweepDrafts } from "@harness/host";
import { lossOf } from "../jsonl/log-loss.ts";
import { scanLog } from "../jsonl/log-scan.ts";
import { asDatedDigest, type DatedDigest, readMeta } from "../jsonl/meta-file.ts";
import { type SessionFolder, sessionFolder } from "../jsonl/session-folder.ts";
import { isSessionId } from "../session-id.ts";
import type { StoredDigest } from "../stored-digest.ts";

const INDEX_VERSION = 2;
/** A hundred thousand sessions. */
const MAX_BYTES = 64 * 1024 * 1024;
/** So many sessions must have changed before the index is worth writing: a few are read again as fast. */
const WORTH_WRITING = 32;
/** Other work of the process gets a turn after this long. */
const SLICE_MS = 8;

/** A session whose log cannot be read; `digest` is from `meta.json`. */
type UnreadableSession = { sessionId: string; digest?: StoredDigest; problem: string };
/** `problem`: why the folder of all sessions cannot be read. */
export type IndexedSessions = { readable: StoredDigest[]; unreadable: UnreadableSession[]; problem?: string };

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

  /** Undefined for a folder in which there is no session. */
  #fresh(sessionId: string, known: DatedDigest | undefined): DatedDigest | UnreadableSession | undefined {
    const folder = sessionFolder(join(this.#root, sessionId));
    try {
      const dated = this.#read(sessionId, folder, known);
      return dated && { ...dated, digest: named(sessionId, dated.digest) };
    } catch (error) {
      const digest = readMeta(folder.meta)?.digest ?? known?.digest;
      const problem = diskProblem(error, `read session ${sessionId}`, folder.log);
      return { sessionId, ...(digest && { digest: named(sessionId, digest) }), problem };
    }
  }

  #read(sessionId: string, folder: SessionFolder, known: DatedDigest | undefined): DatedDigest | undefined {
    const stat = statSync(folder.log, { throwIfNoEntry: false });
    if (!stat) return withoutLog(readMeta(folder.meta));
    if (!stat.isFile()) throw new Error("it is not a regular file");
    const fits = (dated: DatedDigest | undefined): boolean =>
      dated?.sizeBytes === stat.size && dated.modifiedMs === stat.mtimeMs;
    if (fits(known)) return known;
    this.#changed += 1;
    const meta = readMeta(folder.meta);
    if (fits(meta)) return meta;
    const newest = (meta?.readBytes ?? 0) > (known?.readBytes ?? 0) ? meta : known;
    const found = scanLog(sessionId, folder, newest);
    return withLoss(found, meta);
  }

  #write(known: Map<string, DatedDigest>): void {
    this.#changed = 0;
    try {
      const content = JSON.stringify({ version: INDEX_VERSION, sessions: [...known.values()] });
      sweepDrafts(this.#root);
      replaceOwnFile(this.#path, content);
    } catch {
      // The next process reads the sessions one by one.
    }
  }
}

/** The digest of a copied session still has the id of the original. */
function named(sessionId: string, digest: StoredDigest): StoredDigest {
  return digest.sessionId === sessionId ? digest : { ...digest, sessionId };
}

function withoutLog(meta: DatedDigest | undefined): DatedDigest | undefined {
  const nothing = { sizeBytes: 0, modifiedMs: 0, readBytes: 0 };
  const lost = lossOf(meta, { turns: 0, readBytes: 0 });
  if (!meta || lost !== "messages") return undefined;
  return { ...nothing, digest: { ...meta.digest, damage: { ...meta.digest.damage, lost } } };
}

/** The digest of the log with what is gone of it; where no message is left, the one of `meta.json`. */
function withLoss(found: DatedDigest, meta: DatedDigest | undefined): DatedDigest {
  const lost = lossOf(meta, { turns: found.digest.turns, readBytes: found.readBytes });
  if (!meta || lost === undefined) return found;
  const digest = lost === "messages" ? meta.digest : found.digest;
  return { ...found, digest: { ...digest, damage: { ...found.digest.damage, lost } } };
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
