import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type {
  LoadedSession,
  SessionHeader,
  SessionLog,
  SessionPage,
  SessionQuery,
  SessionStore,
  StoreProblem,
} from "@harness/core";
import { LogWriteError } from "@harness/core";
import type { Clock } from "@harness/gate";
import {
  diskProblem,
  errorCode,
  fileStamp,
  type Lock,
  type LockOwner,
  replaceOwnFile,
  sweepDrafts,
  takeLock,
  thisProcess,
} from "@harness/host";
import { digestView, fold, type SessionConfig, type SessionSummary } from "@harness/protocol";
import { type Disk, realDisk } from "../disk.ts";
import { SessionIndex, sessionIds } from "../index/session-index.ts";
import { pageOf } from "../index/session-page.ts";
import { isSessionId, makeSessionId } from "../session-id.ts";
import { ownerProblem } from "../session-owner.ts";
import { notFound, sessionLockedProblem, single } from "../store-problems.ts";
import { newStoredDigest, type StoredDigest, summaryFrom } from "../stored-digest.ts";
import { JsonlSessionLog, type LogsOnDisk } from "./jsonl-session-log.ts";
import { readMeta } from "./meta-file.ts";
import { OwnSessions } from "./own-sessions.ts";
import { agentFolders, type SessionFolder, sessionFolder } from "./session-folder.ts";
import { LOG_VERSION, readStoredSession, type StoredSession } from "./stored-session.ts";

export type StoreOptions = {
  clock: Pick<Clock, "now">;
  /** Identifies this store in the locks it takes; generated when absent. */
  instanceId?: string;
  disk?: Disk;
};

/**
 * Sessions as folders below `root`: `<id>/log.jsonl` (facts, the truth), `meta.json` (derived), `lock` (its writer),
 * `blobs/` and `subagent/<agentId>/` with a log of its own, recursively.
 */
export function openStore(root: string, options: StoreOptions): SessionStore {
  return new JsonlStore(root, options);
}

class JsonlStore implements SessionStore {
  readonly #root: string;
  readonly #disk: Disk;
  readonly #now: () => number;
  readonly #instanceId: string;
  readonly #index: SessionIndex;
  readonly #own: OwnSessions;
  /** Kept as long as memory allows: a client reads a long history page by page. */
  #lastRead: { stamp: string; stored: WeakRef<StoredSession> } | undefined;
  /** A session has no folder before its first fact. */
  readonly #givenIds = new Set<string>();

  constructor(root: string, { clock, instanceId, disk }: StoreOptions) {
    this.#root = root;
    this.#disk = disk ?? realDisk;
    this.#now = () => clock.now();
    this.#instanceId = instanceId ?? randomBytes(8).toString("hex");
    this.#index = new SessionIndex(root);
    this.#own = new OwnSessions(root);
  }

  newSessionId(): string {
    for (;;) {
      const id = makeSessionId(this.#now());
      if (this.#givenIds.has(id) || existsSync(join(this.#root, id))) continue;
      this.#givenIds.add(id);
      return id;
    }
  }

  create(wanted: SessionHeader): SessionLog {
    const header = { ...wanted, version: LOG_VERSION };
    return this.#logOf(header, newStoredDigest(header), {
      isNew: true,
      isBegunHere: true,
      seq: 0,
      agents: [],
      lock: undefined,
      trusted: { own: this.#own, checked: false },
    });
  }

  open(name: string, { checked = false } = {}): { log: SessionLog; loaded: LoadedSession } | StoreProblem {
    const found = this.#find(name);
    if ("problem" in found) return found;
    const folder = this.#folder(found.sessionId);
    return guarded(`open session ${found.sessionId}`, folder.dir, () => {
      const foreign = ownerProblem(this.#root, folder);
      if (foreign !== undefined)
        return { kind: "foreign" as const, problem: `Session ${found.sessionId} is not opened: ${foreign}` };
      const lock = takeLock(folder.lock, this.#owner());
      if (!("release" in lock)) return sessionLockedProblem(found.sessionId, folder, lock);
      try {
        sweepDrafts(folder.dir);
        const opened = orChecked((also) => this.#openLocked(folder, lock, checked || also));
        if ("problem" in opened) lock.release();
        return opened;
      } catch (error) {
        lock.release();
        throw error;
      }
    });
  }

  load(name: string): LoadedSession | StoreProblem {
    const stored = this.#read(name);
    return "problem" in stored ? stored : loadedFrom(stored);
  }

  inspect(name: string): { session: SessionSummary; config: SessionConfig; seq: number } | StoreProblem {
    return orChecked((checked) => {
      const stored = this.#read(name, checked);
      if ("problem" in stored) return stored;
      const { config, seq } = fold(stored.header.sessionId, stored.facts);
      return { session: summaryFrom(digestOf(stored)), config, seq };
    });
  }

  async list(query: SessionQuery): Promise<SessionPage> {
    return pageOf(await this.#index.all(), query);
  }

  async resolve(name: string): Promise<{ sessionId: string } | StoreProblem> {
    const found = this.#find(name);
    if (!("problem" in found) || found.kind === "ambiguous") return found;
    const title = name.trim().toLowerCase();
    if (title === "") return found;
    const { readable } = await this.#index.all();
    const named = readable.filter((digest) => digest.title?.trim().toLowerCase() === title);
    return named[0] ? single(name, named.map(({ sessionId }) => sessionId).sort()) : found;
  }

  remove(sessionId: string): { removed: true } | StoreProblem {
    if (!isSessionId(sessionId) || !existsSync(join(this.#root, sessionId))) return notFound(sessionId);
    const folder = this.#folder(sessionId);
    return guarded(`delete session ${sessionId}`, folder.dir, () => {
      const lock = takeLock(folder.lock, this.#owner());
      if (!("release" in lock)) return sessionLockedProblem(sessionId, folder, lock);
      // Renamed first, then deleted piece by piece: no process sees half a session.
      const trash = join(this.#root, `.trash-${sessionId}-${randomBytes(4).toString("hex")}`);
      renameSync(folder.dir, trash);
      rmSync(trash, { recursive: true, force: true });
      this.#emptyTrash();
      return { removed: true };
    });
  }

  #openLocked(
    folder: SessionFolder,
    lock: Lock,
    checked: boolean,
  ): { log: SessionLog; loaded: LoadedSession } | StoreProblem {
    const trusted = { own: this.#own, checked };
    const stored = readStoredSession(folder.dir, trusted);
    const { header, facts, agents, isBegunHere } = stored;
    if (header.version > LOG_VERSION) {
      return {
        kind: "newer",
        problem: `Session ${header.sessionId} was written by a newer version of harness (format ${header.version}, this one knows ${LOG_VERSION}). It can be read here; update harness to continue it.`,
      };
    }
    if (stored.damagedPieces.length > 0) keepDamaged(folder, stored.damagedPieces);
    const log = this.#logOf(header, digestOf(stored), {
      isNew: false,
      isBegunHere,
      seq: facts.at(-1)?.seq ?? 0,
      agents,
      lock,
      trusted,
    });
    log.repair();
    return { log, loaded: loadedFrom(stored) };
  }

  #logOf(header: SessionHeader, digest: StoredDigest, onDisk: LogsOnDisk) {
    const { sessionId } = header;
    if (!isSessionId(sessionId)) throw new Error(`"${sessionId}" cannot be the id of a session`);
    const folder = this.#folder(sessionId);
    const take = (): Lock => {
      const lock = takeLock(folder.lock, this.#owner());
      if ("release" in lock) return lock;
      throw new LogWriteError(sessionLockedProblem(sessionId, folder, lock).problem);
    };
    return new JsonlSessionLog({ folder, header, digest, disk: this.#disk, now: this.#now, takeLock: take, onDisk });
  }

  #read(name: string, checked = false): StoredSession | StoreProblem {
    const found = this.#find(name);
    if ("problem" in found) return found;
    const { dir } = this.#folder(found.sessionId);
    return guarded(`read session ${found.sessionId}`, dir, () => {
      const logs = agentFolders(dir).map(({ log }) => `${log} ${fileStamp(log)}`);
      const stamp = [checked, ...logs].join("\n");
      const known = this.#lastRead?.stamp === stamp ? this.#lastRead.stored.deref() : undefined;
      if (known) return known;
      const stored = readStoredSession(dir, { own: this.#own, checked });
      this.#lastRead = { stamp, stored: new WeakRef(stored) };
      return stored;
    });
  }

  #find(name: string): { sessionId: string } | StoreProblem {
    const all = sessionIds(this.#root);
    if (all.problem !== undefined) return { kind: "failed", problem: all.problem };
    const begin = name === "" ? [] : all.found.filter((id) => id.startsWith(name));
    const ids = begin.filter((id) => isThere(this.#folder(id)));
    return ids.includes(name) ? { sessionId: name } : single(name, ids.sort());
  }

  #folder(sessionId: string): SessionFolder {
    return sessionFolder(join(this.#root, sessionId));
  }

  #owner(): LockOwner {
    return thisProcess(this.#instanceId, new Date(this.#now()).toISOString());
  }

  /** Removes the rest of a deletion that was interrupted. */
  #emptyTrash(): void {
    for (const name of readdirSync(this.#root)) {
      if (name.startsWith(".trash-")) rmSync(join(this.#root, name), { recursive: true, force: true });
    }
  }
}

/** Does it again with checked facts where one seems to fit no schema: who wrote it may have sealed it as harness does. */
function orChecked<T>(work: (checked: boolean) => T): T {
  try {
    return work(false);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return work(true);
  }
}

/** True for what cannot be looked at, and for a log that is lost: opening it says why. */
function isThere({ log, meta }: SessionFolder): boolean {
  try {
    return lstatSync(log, { throwIfNoEntry: false }) !== undefined || (readMeta(meta)?.digest.turns ?? 0) > 0;
  } catch {
    return true;
  }
}

function guarded<T>(doing: string, path: string, work: () => T): T | StoreProblem {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === "ENOENT" && !existsSync(path)) return notFound(path);
    const { dest, path: place = path } = Object(error);
    return { kind: "failed", problem: diskProblem(error, doing, String(dest ?? place)) };
  }
}

/** The damaged bytes by themselves, for people who want to look. The log keeps them too, so it goes on without. */
function keepDamaged(folder: SessionFolder, pieces: Buffer[]): void {
  const lf = Buffer.from("\n");
  try {
    replaceOwnFile(folder.damaged, Buffer.concat(pieces.flatMap((piece) => [piece, lf])));
  } catch {
    // A full disk, or something else in its place.
  }
}

function digestOf({ header, facts, agents, counted, lost }: StoredSession): StoredDigest {
  const digest = { ...(lost ?? newStoredDigest(header)), subagents: agents.length - 1, damage: counted };
  const view = digestView(digest);
  for (const fact of facts) view.see(fact);
  return digest;
}

function loadedFrom({ header, facts, damage }: StoredSession): LoadedSession {
  return { header, facts, ...(damage ? { damage } : {}) };
}
