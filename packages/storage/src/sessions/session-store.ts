import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type ForkStart,
  factsOf,
  type LoadedSession,
  LogWriteError,
  type SessionHeader,
  type SessionLog,
  type SessionPage,
  type SessionQuery,
  type SessionStore,
  type StoreProblem,
} from "@harness/core";
import type { Clock } from "@harness/gate";
import {
  describeOwner,
  diskProblem,
  errorCode,
  type Lock,
  type LockOwner,
  makePrivateFolder,
  sweepDrafts,
  takeLock,
  thisProcess,
  writeOwnFile,
} from "@harness/host";
import { emptySession, type SessionConfig, type SessionSummary, stateView } from "@harness/protocol";
import { type Disk, realDisk } from "./disk.ts";
import { SessionIndex, sessionIds } from "./index/session-index.ts";
import { pageOf } from "./index/session-page.ts";
import { JsonlFormat } from "./jsonl/jsonl-format.ts";
import { OwnSessions } from "./own-sessions.ts";
import { type SessionFolder, sessionFolder } from "./session-folder.ts";
import type { SessionFormat, SessionReading } from "./session-format.ts";
import { isSessionId, makeSessionId } from "./session-id.ts";
import { ownerProblem } from "./session-owner.ts";
import { notFound, sessionLockedProblem, single } from "./store-problems.ts";
import { summaryFrom } from "./stored-digest.ts";

export type StoreOptions = {
  clock: Pick<Clock, "now">;
  /** Identifies this store in the locks it takes; generated when absent. */
  instanceId?: string;
  disk?: Disk;
};

/** Sessions as folders below `root`: `<id>/` with the files of its format, `lock` (its writer) and `blobs/`. */
export function openStore(root: string, options: StoreOptions): SessionStore {
  return new FolderStore(root, options);
}

class FolderStore implements SessionStore {
  readonly #root: string;
  readonly #now: () => number;
  readonly #instanceId: string;
  readonly #index: SessionIndex;
  readonly #format: SessionFormat;
  /** A client reads a long history page by page. */
  #lastRead: { stamp: string; reading: SessionReading } | undefined;
  /** A session has no folder before its first fact. */
  readonly #givenIds = new Set<string>();

  constructor(root: string, { clock, instanceId, disk = realDisk }: StoreOptions) {
    this.#root = root;
    this.#now = () => clock.now();
    this.#instanceId = instanceId ?? randomBytes(8).toString("hex");
    this.#format = new JsonlFormat({ disk, own: new OwnSessions(root), now: this.#now });
    this.#index = new SessionIndex(root, this.#format);
  }

  newSessionId(): string {
    for (;;) {
      const id = makeSessionId(this.#now());
      if (this.#givenIds.has(id) || existsSync(join(this.#root, id))) continue;
      this.#givenIds.add(id);
      return id;
    }
  }

  create(header: SessionHeader): SessionLog {
    const { sessionId } = header;
    if (!isSessionId(sessionId)) throw new Error(`"${sessionId}" cannot be the id of a session`);
    const folder = this.#folder(sessionId);
    return this.#format.create(folder, header, () => this.#lockOf(sessionId));
  }

  fork(name: string, { seq, ...start }: ForkStart): SessionLog | StoreProblem {
    const reading = this.#read(name);
    if ("problem" in reading) return reading;
    const { sessionId: from, ...rest } = reading.header;
    const { sessionId } = start;
    const parentFolder = this.#folder(from);
    const folder = this.#folder(sessionId);
    return guarded(`fork session ${from}`, parentFolder.dir, () =>
      this.#format.fork(folder, { ...rest, ...start, parent: { sessionId: from, seq } }, () => {
        // Whoever deletes the parent finds its forks by these.
        makePrivateFolder(parentFolder.forks);
        writeOwnFile(join(parentFolder.forks, sessionId), "");
        return this.#lockOf(sessionId);
      }),
    );
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
        const opened = orChecked((also) => this.#format.open(folder, lock, { checked: checked || also }));
        if ("problem" in opened) lock.release();
        return opened;
      } catch (error) {
        lock.release();
        throw error;
      }
    });
  }

  load(name: string): LoadedSession | StoreProblem {
    return this.#read(name);
  }

  inspect(name: string): { session: SessionSummary; config: SessionConfig; seq: number } | StoreProblem {
    return orChecked((checked) => {
      const reading = this.#read(name, checked);
      if ("problem" in reading) return reading;
      const { sessionId } = reading.header;
      const state = emptySession(sessionId);
      const view = stateView(state);
      // Other facts do not change its configuration.
      for (const fact of factsOf(reading, { kinds: ["config_option_update"] })) view.see(fact);
      const seq = reading.read({ before: Number.POSITIVE_INFINITY, limit: 1 }).facts.at(-1)?.seq ?? 0;
      return { session: summaryFrom(reading.digest), config: state.config, seq };
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
      const refused = this.#releaseForks(folder);
      if (refused) {
        lock.release();
        return refused;
      }
      // Renamed first, then deleted piece by piece: no process sees half a session.
      const trash = join(this.#root, `.trash-${sessionId}-${randomBytes(4).toString("hex")}`);
      renameSync(folder.dir, trash);
      rmSync(trash, { recursive: true, force: true });
      this.#emptyTrash();
      return { removed: true };
    });
  }

  /** Throws a `LogWriteError`. */
  #lockOf(sessionId: string): Lock {
    const folder = this.#folder(sessionId);
    const lock = takeLock(folder.lock, this.#owner());
    if ("release" in lock) return lock;
    throw new LogWriteError(sessionLockedProblem(sessionId, folder, lock).problem);
  }

  /** Gives the forks of a session their own copies of what they share with it. Throws what the file system throws. */
  #releaseForks({ dir, forks }: SessionFolder): StoreProblem | undefined {
    for (const sessionId of existsSync(forks) ? readdirSync(forks).filter(isSessionId) : []) {
      const folder = this.#folder(sessionId);
      if (!this.#format.isIn(folder)) continue;
      const lock = takeLock(folder.lock, this.#owner());
      if (!("release" in lock))
        return {
          kind: "locked",
          problem: `Session ${basename(dir)} is not deleted: session ${sessionId} was forked from it and is open (${describeOwner(lock.owner)}). Close that one first.`,
        };
      try {
        this.#format.makeWhole(folder);
      } finally {
        lock.release();
      }
    }
    return undefined;
  }

  #read(name: string, checked = false): SessionReading | StoreProblem {
    const found = this.#find(name);
    if ("problem" in found) return found;
    const folder = this.#folder(found.sessionId);
    return guarded(`read session ${found.sessionId}`, folder.dir, () => {
      const stamp = `${checked}\n${this.#format.stamp(folder)}`;
      if (this.#lastRead?.stamp === stamp) return this.#lastRead.reading;
      const reading = this.#format.read(folder, { checked });
      this.#lastRead = { stamp, reading };
      return reading;
    });
  }

  #find(name: string): { sessionId: string } | StoreProblem {
    const all = sessionIds(this.#root);
    if (all.problem !== undefined) return { kind: "failed", problem: all.problem };
    const begin = name === "" ? [] : all.found.filter((id) => id.startsWith(name));
    const ids = begin.filter((id) => this.#format.isIn(this.#folder(id)));
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

function guarded<T>(doing: string, path: string, work: () => T): T | StoreProblem {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === "ENOENT" && !existsSync(path)) return notFound(path);
    const { dest, path: place = path } = Object(error);
    return { kind: "failed", problem: diskProblem(error, doing, String(dest ?? place)) };
  }
}
