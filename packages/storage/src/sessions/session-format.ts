import type { FactPage, LoadedSession, SessionHeader, SessionLog, StoreProblem } from "@harness/core";
import type { Lock } from "@harness/host";
import type { SessionParent } from "@harness/protocol";
import type { DatedDigest } from "./meta-file.ts";
import type { SessionFolder } from "./session-folder.ts";
import type { StoredDigest } from "./stored-digest.ts";

export type ForkHeader = SessionHeader & { parent: SessionParent };

/** A stored session with its entry in lists. */
export type SessionReading = LoadedSession & {
  digest: StoredDigest;
  /** True for a number that is in no log: the fact in its place says so. */
  isGap?(seq: number): boolean;
};

/**
 * How sessions are written into their folders. The store has what all formats share: names, locks, lists, removal. Methods
 * throw what the file system throws, but where they say otherwise.
 */
export interface SessionFormat {
  /** True if a session of this format is in the folder, or if that cannot be determined. Never throws. */
  isIn(folder: SessionFolder): boolean;
  /** Why a session is read and not opened: others may have written it. Throws what the file system throws. */
  ownerProblem(root: string, folder: SessionFolder): string | undefined;
  /** Nothing is written before the first fact. `takeLock` throws a `LogWriteError`. */
  create(folder: SessionFolder, header: SessionHeader, takeLock: () => Lock): SessionLog;
  /** A session that begins with the facts of its parent, which stay where they are. Else as `create`. */
  fork(folder: SessionFolder, header: ForkHeader, takeLock: () => Lock): SessionLog;
  /**
   * Gives a fork its own copy of all that it shares, since its parent is going to be deleted; the caller has the lock. A crash
   * leaves it as it was, or whole.
   */
  makeWhole(folder: SessionFolder): void;
  /** The same, while another process has the lock: a copy beside its log, in one step; `makeWhole` is due when it is opened. */
  copyShared(folder: SessionFolder): void;
  /** True after `copyShared`. Never throws. */
  hasSharedCopy(folder: SessionFolder): boolean;
  /** To go on with it; the caller has the lock. `checked`: each fact is held against its schema. */
  open(
    folder: SessionFolder,
    lock: Lock,
    options: { checked: boolean },
  ): { log: SessionLog; loaded: LoadedSession } | StoreProblem;
  /** Its last facts, at a cost that does not grow with it; undefined where only `read` can tell. */
  tail(folder: SessionFolder, limit: number): FactPage | undefined;
  read(folder: SessionFolder, options: { checked: boolean }): SessionReading;
  /** True if people have changed its files since they were last looked at. Never throws. */
  hasChanges(folder: SessionFolder): boolean;
  /** Changes whenever a reading of the session would. */
  stamp(folder: SessionFolder): string;
  /** Its entry in lists; `known`: as it was before. The same object where nothing has changed; undefined: there is none. */
  digest(sessionId: string, folder: SessionFolder, known: DatedDigest | undefined): DatedDigest | undefined;
}
