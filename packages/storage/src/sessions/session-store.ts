import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import {
  type FactPage,
  type ForkStart,
  factsOf,
  type LoadedSession,
  LogWriteError,
  type SearchReport,
  type SessionCheck,
  type SessionHeader,
  type SessionLog,
  type SessionPage,
  type SessionQuery,
  type SessionSearch,
  type SessionStore,
  type StoreProblem,
} from "@harness/core";
import type { Clock } from "@harness/gate";
import { type Lock, type LockOwner, sweepDrafts, takeLock, thisProcess } from "@harness/host";
import { emptySession, type SessionConfig, type SessionSummary, stateView } from "@harness/protocol";
import { FolderBin } from "./bin/folder-bin.ts";
import { forksIn, noteFork } from "./bin/release-forks.ts";
import { checkSession } from "./check/check-session.ts";
import { type Disk, realDisk } from "./disk.ts";
import { FullTextSearch, type SearchLimits } from "./index/full-text-search.ts";
import { pageOf } from "./index/session-page.ts";
import type { SessionFolder } from "./session-folder.ts";
import type { SessionFormat, SessionReading } from "./session-format.ts";
import { isSessionId, makeSessionId } from "./session-id.ts";
import { SessionsFolderSet, type SessionsLocations, type StoredLocation } from "./sessions-folder-set.ts";
import { foreignProblem, guarded, notFound, sessionLockedProblem, single } from "./store-problems.ts";
import { summaryFrom } from "./stored-digest.ts";

export type StoreOptions = {
  clock: Pick<Clock, "now">;
  /** Identifies this store in the locks it takes; generated when absent. */
  instanceId?: string;
  disk?: Disk;
  /** The random part of new ids. */
  random?: (count: number) => Uint8Array;
  /** Absent: all sessions are logs in the store's own folder. */
  places?: SessionsLocations;
  searchLimits?: SearchLimits;
};

/**
 * Each session is a folder `<id>/` with the files of its format, `lock` (its writer) and `blobs/`, below `root` or in
 * another place. If two have the same id, the one in the first place counts.
 */
export function openStore(root: string, options: StoreOptions): SessionStore {
  return new FolderStore(root, options);
}

class FolderStore implements SessionStore {
  readonly #folders: SessionsFolderSet;
  readonly bin: FolderBin;
  readonly #search: FullTextSearch;
  readonly #now: () => number;
  readonly #instanceId: string;
  readonly #random: StoreOptions["random"];
  /** Cached because a client reads a long history page by page. */
  #lastRead: { stamp: string; reading: SessionReading } | undefined;
  /** A session has no folder before its first fact. */
  readonly #givenIds = new Set<string>();

  constructor(root: string, { clock, instanceId, random, disk = realDisk, places, searchLimits }: StoreOptions) {
    this.#random = random;
    this.#now = () => clock.now();
    this.#instanceId = instanceId ?? randomBytes(8).toString("hex");
    this.#folders = new SessionsFolderSet(root, { disk, now: this.#now }, places);
    this.bin = new FolderBin({
      folder: join(dirname(root), "deleted"),
      folders: this.#folders,
      now: this.#now,
      owner: () => this.#owner(),
    });
    this.#search = new FullTextSearch({
      root,
      sessions: () => this.#folders.indexed(),
      read: (sessionId) => {
        const found = this.#folders.at(sessionId);
        return found ? orChecked((checked) => this.#readAt(found, checked)) : notFound(sessionId);
      },
      stampOf: (sessionId) => {
        const found = this.#folders.at(sessionId);
        return found ? found.format.stamp(found.folder) : "";
      },
      isAppendOnly: (sessionId) => {
        const found = this.#folders.at(sessionId);
        return found !== undefined && found.format === found.root.jsonl;
      },
      limits: searchLimits,
    });
  }

  newSessionId(): string {
    for (;;) {
      const id = makeSessionId(this.#now(), this.#random?.(4));
      if (this.#givenIds.has(id) || this.#folders.all().some((root) => root.has(id)) || this.bin.has(id)) continue;
      this.#givenIds.add(id);
      return id;
    }
  }

  create(header: SessionHeader, { isForeign = false } = {}): SessionLog {
    const { sessionId } = header;
    if (!isSessionId(sessionId)) throw new Error(`"${sessionId}" cannot be the id of a session`);
    if (isForeign) {
      const { own } = this.#folders;
      const folder = own.folder(sessionId);
      return own.jsonl.createFor(folder, header, () => this.#lockOf(folder));
    }
    const place = this.#folders.forNew(header.cwd);
    const root = place ?? this.#folders.own;
    const folder = root.folder(sessionId);
    return (place ? root.markdown : root.jsonl).create(folder, header, () => this.#lockOf(folder));
  }

  fork(name: string, { seq, ...start }: ForkStart): SessionLog | StoreProblem {
    const found = this.#folders.find(name);
    const reading = this.#read(name);
    if ("problem" in reading) return reading;
    if ("problem" in found) return found;
    const { root, format, folder: parentFolder } = found;
    const { sessionId: from, ...rest } = reading.header;
    const { sessionId } = start;
    const folder = root.folder(sessionId);
    return guarded(`fork session ${from}`, parentFolder.dir, () =>
      format.fork(folder, { ...rest, ...start, parent: { sessionId: from, seq } }, () => {
        noteFork(parentFolder, sessionId);
        return this.#lockOf(folder);
      }),
    );
  }

  open(name: string, { checked = false } = {}): { log: SessionLog; loaded: LoadedSession } | StoreProblem {
    const found = this.#folders.find(name);
    if ("problem" in found) return found;
    const { root, folder, format } = found;
    return guarded(`open session ${found.sessionId}`, folder.dir, () => {
      const foreign = format.ownerProblem(root.path, folder);
      if (foreign !== undefined) return foreignProblem(found.sessionId, foreign);
      const lock = takeLock(folder.lock, this.#owner());
      if (!("release" in lock)) return sessionLockedProblem(found.sessionId, folder, lock);
      try {
        sweepDrafts(folder.dir);
        makeWholeIfDue(format, folder);
        const opened = orChecked((also) => format.open(folder, lock, { checked: checked || also }));
        if ("problem" in opened) lock.release();
        return opened;
      } catch (error) {
        lock.release();
        throw error;
      }
    });
  }

  load(name: string, { settled = false } = {}): LoadedSession | StoreProblem {
    const found = settled ? this.#folders.find(name) : undefined;
    if (!found || "problem" in found) return this.#read(name);
    const { format, folder, sessionId } = found;
    if (!format.hasChanges(folder) && !format.hasSharedCopy(folder)) return this.#read(name);
    const opened = this.open(sessionId);
    if ("log" in opened) opened.log.close();
    const { editsAfter } = "loaded" in opened ? opened.loaded : {};
    const reading = this.#read(name);
    return "problem" in reading || editsAfter === undefined ? reading : { ...reading, editsAfter };
  }

  tail(sessionId: string, limit: number): FactPage {
    const none: FactPage = { facts: [], more: false };
    const found = this.#folders.at(sessionId);
    if (!found) return none;
    try {
      return found.format.tail(found.folder, limit) ?? none;
    } catch {
      // Opening the session says why.
      return none;
    }
  }

  inspect(name: string): { session: SessionSummary; config: SessionConfig; seq: number } | StoreProblem {
    return orChecked((checked) => {
      const reading = this.#read(name, checked);
      if ("problem" in reading) return reading;
      const { sessionId } = reading.header;
      const state = emptySession(sessionId);
      const view = stateView(state);
      // No other fact changes the configuration.
      for (const fact of factsOf(reading, { kinds: ["config_option_update"] })) view.see(fact);
      const seq = reading.read({ before: Number.POSITIVE_INFINITY, limit: 1 }).facts.at(-1)?.seq ?? 0;
      return { session: summaryFrom(reading.digest), config: state.config, seq };
    });
  }

  async list(query: SessionQuery): Promise<SessionPage> {
    return pageOf(await this.#folders.indexed(query.cwd), query);
  }

  search(search: SessionSearch): Promise<SearchReport> {
    return this.#search.search(search);
  }

  refreshIndex(signal: AbortSignal): Promise<void> {
    return this.#search.refresh(signal);
  }

  async resolve(name: string): Promise<{ sessionId: string } | StoreProblem> {
    const found = this.#folders.find(name);
    if (!("problem" in found)) return { sessionId: found.sessionId };
    if (found.kind === "ambiguous") return found;
    const title = name.trim().toLowerCase();
    if (title === "") return found;
    const { readable } = await this.#folders.indexed();
    const named = readable.filter((digest) => digest.title?.trim().toLowerCase() === title);
    return named[0] ? single(name, named.map(({ sessionId }) => sessionId).sort()) : found;
  }

  ids(): string[] {
    return [...new Set(this.#folders.all().flatMap((root) => root.ids().found))].sort();
  }

  check(sessionId: string): SessionCheck | StoreProblem {
    const found = this.#folders.at(sessionId);
    if (!found) return notFound(sessionId);
    return guarded(`read session ${sessionId}`, found.folder.dir, () => checkSession(found.folder, found.format));
  }

  forksOf(sessionId: string): string[] {
    const found = this.#folders.at(sessionId);
    try {
      return found ? forksIn(found.folder) : [];
    } catch {
      return [];
    }
  }

  folderOf(sessionId: string): string | undefined {
    return this.#folders.at(sessionId)?.folder.dir;
  }

  remove(sessionId: string): { removed: true } | StoreProblem {
    return this.bin.remove(sessionId);
  }

  /** Throws a `LogWriteError`. */
  #lockOf(folder: SessionFolder): Lock {
    const lock = takeLock(folder.lock, this.#owner());
    if ("release" in lock) return lock;
    throw new LogWriteError(sessionLockedProblem(folder.sessionId, folder, lock).problem);
  }

  #read(name: string, checked = false): SessionReading | StoreProblem {
    const found = this.#folders.find(name);
    if ("problem" in found) return found;
    return this.#readAt(found, checked);
  }

  #readAt({ sessionId, folder, format }: StoredLocation, checked: boolean): SessionReading | StoreProblem {
    return guarded(`read session ${sessionId}`, folder.dir, () => {
      const stamp = `${checked}\n${folder.dir}\n${format.stamp(folder)}`;
      if (this.#lastRead?.stamp === stamp) return this.#lastRead.reading;
      const reading = format.read(folder, { checked });
      this.#lastRead = { stamp, reading };
      return reading;
    });
  }

  #owner(): LockOwner {
    return thisProcess(this.#instanceId, new Date(this.#now()).toISOString());
  }
}

/** If it fails, for example on a full disk, the next opening tries again. */
function makeWholeIfDue(format: SessionFormat, folder: SessionFolder): void {
  if (!format.hasSharedCopy(folder)) return;
  try {
    format.makeWhole(folder);
  } catch {
    // It is read as it is.
  }
}

/**
 * Repeats the work with checked facts if a fact turns out not to fit its schema: its writer may have sealed it as
 * harness does.
 */
function orChecked<T>(work: (checked: boolean) => T): T {
  try {
    return work(false);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return work(true);
  }
}
